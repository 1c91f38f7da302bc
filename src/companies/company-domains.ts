import { validationFailed } from "../core/errors/domain-error.js";
import type { Db } from "../core/tenancy/scoped-client.js";
import { findTakenDomains, lockDomains } from "./company.sql.js";

/** Names under which a company is found; those that are absent stay as they are. */
export interface CompanyDomains {
  readonly domain?: string;
  readonly customDomain?: string | null;
}

/** The host by which a custom domain is looked up, in lower case. */
export function hostOf(customDomain: string): string {
  return new URL(customDomain).hostname.replace(/\.$/u, "");
}

/**
 * Refuses names that lead to another company already, whichever of the two columns they stand in there. Call
 * it in the transaction that writes them: two companies can't take the same name at once.
 *
 * @param path of the fields in the input, such as `company.`.
 * @throws DomainError VALIDATION_FAILED with rule `unique`.
 */
export async function claimDomains(
  db: Db,
  { domain, customDomain }: CompanyDomains,
  path = "",
): Promise<void> {
  const claims = [
    ...(domain === undefined ? [] : [{ field: `${path}domain`, name: domain.toLowerCase() }]),
    ...(customDomain == null ? [] : [{ field: `${path}customDomain`, name: hostOf(customDomain) }]),
  ];
  if (claims.length === 0) return;
  await lockDomains(db);
  const taken = await findTakenDomains(
    db,
    claims.map(({ name }) => name),
  );
  const errors = claims
    .filter(({ name }) => taken.has(name))
    .map(({ field }) => ({ field, rule: "unique", message: "is already taken" }));
  if (errors.length > 0) throw validationFailed(errors);
}
