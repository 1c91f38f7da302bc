import { validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { Db } from "../../core/scope/company-scope.js";
import { findTakenDomains, lockDomains } from "./company.sql.js";

/** The names by which a company is found. */
export interface CompanyDomains {
  readonly domain?: string;
  readonly customDomain?: string | null;
}

/** The host of a custom domain, in lower case and without a closing dot. */
export function hostOf(customDomain: string): string {
  return new URL(customDomain).hostname.replace(/\.$/u, "");
}

/**
 * Tells names of a new company that lead to another one. `claimDomains` refuses names that are taken after this
 * check.
 */
export const domainsAreFree: StoredRule = async ({ company }, { client }) => {
  const { domain, customDomain } = (company ?? {}) as Readonly<Record<string, unknown>>;
  return takenDomains(
    client,
    {
      ...(typeof domain === "string" && !domain.includes("\0") && { domain }),
      ...(typeof customDomain === "string" && URL.canParse(customDomain) && { customDomain }),
    },
    "company.",
  );
};

/**
 * Refuses names that lead to another company already, as its domain or as its custom domain. Call it in the transaction
 * that writes the names: it keeps two companies from taking the same name at once.
 *
 * @param path the path of the fields in the input, such as `company.`.
 * @throws DomainError VALIDATION_FAILED with rule `unique`.
 */
export async function claimDomains(db: Db, domains: CompanyDomains, path = ""): Promise<void> {
  await lockDomains(db);
  const errors = await takenDomains(db, domains, path);
  if (errors.length > 0) throw validationFailed(errors);
}

async function takenDomains(
  db: Db,
  { domain, customDomain }: CompanyDomains,
  path: string,
): Promise<FieldError[]> {
  const claims = [
    ...(domain === undefined ? [] : [{ field: `${path}domain`, name: domain.toLowerCase() }]),
    ...(customDomain == null ? [] : [{ field: `${path}customDomain`, name: hostOf(customDomain) }]),
  ];
  const names = claims.map(({ name }) => name);
  const taken = await findTakenDomains(db, names);
  return claims
    .filter(({ name }) => taken.has(name))
    .map(({ field }) => ({ field, rule: "unique", message: "is already taken" }));
}
