import type { Db } from "../../core/scope/company-scope.js";

/**
 * Names under which a company is found stand in two columns, so no index can keep them apart: whoever gives a
 * company a domain does so one after the other, until the transaction ends.
 */
export async function lockDomains(db: Db): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('companies.domains'))::text`;
}

/** Those of the names (in lower case) that belong to a company which is not deleted, as domain or custom domain. */
export async function findTakenDomains(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ domain: string; host: string | null }[]>`
    SELECT lower(domain) AS domain, custom_domain_host AS host
      FROM companies
     WHERE deleted_at IS NULL AND (lower(domain) = ANY (${[...names]}) OR custom_domain_host = ANY (${[...names]}))`;
  const taken = new Set(rows.flatMap(({ domain, host }) => (host === null ? [domain] : [domain, host])));
  return new Set(names.filter((name) => taken.has(name)));
}
