import type { Db } from "../../core/scope/company-scope.js";

/**
 * Makes transactions that give a company a domain wait for each other. Domains stand in two columns, so no unique index
 * can keep them apart.
 */
export async function lockDomains(db: Db): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('companies.domains'))::text`;
}

/**
 * Of these names in lower case, those that a company has as its domain or custom domain. Deleted companies do not
 * count.
 */
export async function findTakenDomains(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ domain: string; host: string | null }[]>`
    SELECT lower(domain) AS domain, custom_domain_host AS host
      FROM companies
     WHERE deleted_at IS NULL AND (lower(domain) = ANY (${[...names]}) OR custom_domain_host = ANY (${[...names]}))`;
  const taken = new Set(rows.flatMap(({ domain, host }) => (host === null ? [domain] : [domain, host])));
  return new Set(names.filter((name) => taken.has(name)));
}
