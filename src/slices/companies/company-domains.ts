import { validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import { asciiDomain, hostOf } from "../../core/inputs/domain-name.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { Db } from "../../core/scope/company-scope.js";
import { findTakenDomains, lockDomains } from "./company.sql.js";

/** The names by which a company is found. */
export interface CompanyDomains {
  readonly domain?: string;
  readonly customDomain?: string | null;
}

/** Whose names they are, and where they stand in the input. */
export interface Claim {
  /** The path of the fields in the input, such as `company.`. */
  readonly path?: string;
  /** The company that has the names already; its own names are free for it. */
  readonly companyId?: number;
}

/** Finds names of a new company that lead to another one; `claimDomains` refuses those that are taken later. */
export const domainsAreFree: StoredRule = async ({ company }, { client }) =>
  takenDomains(client, readable(company), { path: "company." });

/** Finds changed names that lead to another company; `claimDomains` refuses those that are taken later. */
export function findTakenNames(client: Db, input: unknown, companyId: number): Promise<FieldError[]> {
  return takenDomains(client, readable(input), { companyId });
}

/** The names of an input that was not checked. */
function readable(input: unknown): CompanyDomains {
  const { domain, customDomain } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...(typeof domain === "string" && !domain.includes("\0") && { domain }),
    ...(typeof customDomain === "string" && URL.canParse(customDomain) && { customDomain }),
  };
}

/**
 * Refuses names that lead to another company already, as its domain or as its custom domain. Call it in the transaction
 * that writes the names: it keeps two companies from taking the same name at once.
 *
 * @throws DomainError VALIDATION_FAILED with rule `unique`.
 */
export async function claimDomains(db: Db, domains: CompanyDomains, claim: Claim = {}): Promise<void> {
  await lockDomains(db);
  const errors = await takenDomains(db, domains, claim);
  if (errors.length > 0) throw validationFailed(errors);
}

async function takenDomains(
  db: Db,
  { domain, customDomain }: CompanyDomains,
  { path = "", companyId }: Claim,
): Promise<FieldError[]> {
  const claims = [
    ...(domain === undefined ? [] : [{ field: `${path}domain`, name: asciiDomain(domain) }]),
    ...(customDomain == null ? [] : [{ field: `${path}customDomain`, name: hostOf(customDomain) }]),
  ];
  if (claims.length === 0) return [];
  const names = claims.map(({ name }) => name);
  const claimed = await findTakenDomains(db, names, companyId ?? null);
  return claims
    .filter(({ name }) => claimed.has(name))
    .map(({ field }) => ({ field, rule: "unique", message: "is already taken" }));
}
