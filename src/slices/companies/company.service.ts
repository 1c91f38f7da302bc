import { addAdmin, prepareAdmin } from "../admins/admin.service.js";
import { notFound } from "../../core/errors/domain-error.js";
import { writeMask } from "../../core/masks/masks.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { type ListDelegate, listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Db } from "../../core/scope/company-scope.js";
import type { PrismaClient, Company as StoredCompany } from "../../generated/prisma/client.js";
import { claimDomains, hostOf } from "./company-domains.js";
import type { StoredSettings } from "./company-settings.rules.js";
import type { CompanyInput, CreateCompanyInput } from "./company.inputs.js";
import { COMPANY_OPTIONS } from "./company.masks.js";
import { type Company, companyList } from "./company.model.js";

/** A company with its plain settings, which are read in the same query. */
export type CompanyRow = StoredCompany & { readonly settings: Pick<StoredSettings, "data"> | null };

const WITH_SETTINGS = { settings: { select: { data: true } } };
const YEAR_MS = 365 * 24 * 60 * 60_000;

/** A page of all companies. */
export function listCompanies(client: PrismaClient, args: ListArguments): Promise<Connection<Company>> {
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
  client: PrismaClient,
  { company: input, user }: CreateCompanyInput,
  at: Date,
): Promise<CompanyRow> {
  const owner = await prepareAdmin(user);
  return client.$transaction(async (db) => {
    await claimDomains(db, input, "company.");
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
    expiresAt: new Date(at.getTime() + YEAR_MS),
    stringsJson: { strings: [], version: 1 },
    stylesJson: { styles: {}, version: 1 },
  };
}
