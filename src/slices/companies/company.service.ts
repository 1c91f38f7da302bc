import { addAdmin, prepareAdmin } from "../admins/admin.service.js";
import { invalidState, notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import { writeMask } from "../../core/masks/masks.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { type ListDelegate, listPage } from "../../core/lists/list-page.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { assertOpen, endOf } from "../../core/scope/open-company.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Db } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { changedValues } from "./company-changes.rules.js";
import { hostOf, lookupName } from "../../core/inputs/domain-name.js";
import { claimDomains } from "./company-domains.js";
import type { StoredSettings } from "./company-settings.rules.js";
import type { CompanyInput, CreateCompanyInput, UpdateCompanyInput } from "./company.inputs.js";
import { COMPANY_OPTIONS } from "./company.masks.js";
import { type Company, companyList } from "./company.model.js";
import { findCompanyByName, lockCompany, lockDomains } from "./company.sql.js";

type StoredCompany = Row<"Company">;

/** A company with its plain settings, which are read in the same query. */
export type CompanyRow = StoredCompany & { readonly settings: Pick<StoredSettings, "data"> | null };

const WITH_SETTINGS = { settings: { select: { data: true } } };
const YEAR_MS = 365 * 24 * 60 * 60_000;

/** A page of all companies. */
export function listCompanies(client: Db, args: ListArguments): Promise<Connection<Company>> {
  const delegate: ListDelegate = {
    findMany: async (query) => {
      const ids = (await client.company.findMany(query)).map(({ id }) => id);
      const rows = await client.company.findMany({ where: { id: { in: ids } }, include: WITH_SETTINGS });
      return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
    count: (query) => client.company.count(query),
  };
  return listPage(companyList, { delegate, where: {} }, args);
}

/** @throws DomainError NOT_FOUND. */
export async function getCompany({ db, companyId }: CompanyScope): Promise<CompanyRow> {
  return readCompany(db, companyId);
}

/**
 * Creates a company with its settings and its first admin, who owns it, in one transaction.
 *
 * @returns the company, with a token to set that admin's password when none is given.
 * @throws DomainError VALIDATION_FAILED with rule `unique` for a domain that is taken.
 */
export async function createCompany(
  client: Db,
  { company: input, user }: CreateCompanyInput,
  at: Date,
): Promise<CompanyRow> {
  const owner = await prepareAdmin(user, { company: input, path: "user." });
  return client.$transaction(async (db) => {
    await claimDomains(db, input, { path: "company." });
    const { id } = await db.company.create({
      data: { ...valuesOf(input, at), settings: { create: {} } },
      select: { id: true },
    });
    const { passwordSetupToken } = await addAdmin(
      { db, companyId: id, at },
      { ...owner, isOwner: true, isFullAdmin: true },
      null,
    );
    return { ...(await readCompany(db, id)), passwordSetupToken };
  });
}

/**
 * Changes a company.
 *
 * @throws DomainError VALIDATION_FAILED with rule `unique` for a domain that is taken.
 */
export function updateCompany(scope: CompanyScope, input: UpdateCompanyInput): Promise<CompanyRow> {
  return scope.transaction(async ({ db, companyId }) => {
    const { domain, customDomain } = input;
    // The lock of all domains comes before that of the company, as in every transaction that takes both.
    if (domain !== undefined || customDomain != null) await claimDomains(db, input, { companyId });
    await lockCompany(db, companyId);
    const stored = await readCompany(db, companyId);
    await db.company.update({ where: { id: companyId }, data: changedValues(stored, input) });
    return readCompany(db, companyId);
  });
}

/** Deletes a company softly and answers it. */
export function deleteCompany(scope: CompanyScope): Promise<CompanyRow> {
  return scope.transaction(async ({ db, companyId, at }) => {
    await lockCompany(db, companyId);
    const stored = await readCompany(db, companyId);
    const deletedAt = { deletedAt: at };
    const { updatedAt } = await db.company.update({ where: { id: companyId }, data: deletedAt });
    return { ...stored, ...deletedAt, updatedAt };
  });
}

/**
 * Restores a deleted company.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it is not deleted; VALIDATION_FAILED with rule `unique` when
 *   another company has taken its domain or custom domain.
 */
export function restoreCompany(client: Db, id: number): Promise<CompanyRow> {
  return client.$transaction(async (db) => {
    await lockDomains(db);
    const isThere = isId(id) && (await lockCompany(db, id));
    const stored = isThere ? await db.company.findFirst({ where: { id } }) : null;
    if (stored === null) throw notFound("Company");
    if (stored.deletedAt === null) throw invalidState("The company is not deleted.", "active", ["delete"]);
    await claimDomains(db, stored, { companyId: id });
    await db.company.update({ where: { id }, data: { deletedAt: null } });
    return readCompany(db, id);
  });
}

/**
 * Finds a company by its domain or the host of its custom domain.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN when it has expired or is disabled, for strangers.
 */
export async function getCompanyByName(
  { client, caller, at }: Pick<OperationContext, "client" | "caller" | "at">,
  name: string,
): Promise<CompanyRow> {
  const id = await findCompanyByName(client, lookupName(name));
  if (id === null) throw notFound("Company");
  const company = await readCompany(client, id);
  assertOpen({ ...company, endsAt: endOf(company) }, caller, at);
  return company;
}

async function readCompany(db: Db, id: number): Promise<CompanyRow> {
  const company = await db.company.findFirst({ where: { id, deletedAt: null }, include: WITH_SETTINGS });
  if (company === null) throw notFound("Company");
  return company;
}

function valuesOf(input: CompanyInput, at: Date) {
  const { name, domain, customDomain = null, email, folderName } = input;
  return {
    name,
    domain,
    customDomain,
    customDomainHost: customDomain === null ? null : hostOf(customDomain),
    email,
    folderName,
    options: writeMask(COMPANY_OPTIONS, { ...input }, input.options, 0),
    plan: input.plan ?? 0,
    defaultIsoLang: input.defaultIsoLang ?? "en",
    countryIso: input.countryIso ?? "US",
    timeZoneOffset: input.timeZoneOffset ?? "+00:00",
    timeZone: input.timeZone ?? null,
    expiresAt: new Date(at.getTime() + YEAR_MS),
    stringsJson: { strings: [], version: 1 },
    stylesJson: { styles: {}, version: 1 },
  };
}
