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
 *
 * @param exceptId the company whose own names do not count.
 */
export async function findTakenDomains(
  db: Db,
  names: readonly string[],
  exceptId: number | null,
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ domain: string; host: string | null }[]>`
    SELECT lower(domain) AS domain, custom_domain_host AS host
      FROM companies
     WHERE deleted_at IS NULL AND (lower(domain) = ANY (${[...names]}) OR custom_domain_host = ANY (${[...names]}))
       AND id IS DISTINCT FROM ${exceptId}::int`;
  const claimed = new Set(rows.flatMap(({ domain, host }) => (host === null ? [domain] : [domain, host])));
  return new Set(names.filter((name) => claimed.has(name)));
}

/** Whether the company or its settings have changed within the last so many milliseconds, whoever has changed them. */
export async function hasJustChanged(db: Db, companyId: number, milliseconds: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ hasChanged: boolean }[]>`
    SELECT updated_at > clock_timestamp() - ${milliseconds} * interval '1 millisecond' AS "hasChanged"
      FROM companies WHERE id = ${companyId}`;
  return row?.hasChanged === true;
}

/** Finds the company with this name in lower case as its domain or as the host of its custom domain. */
export async function findCompanyByName(db: Db, name: string): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM companies
     WHERE deleted_at IS NULL AND (lower(domain) = ${name} OR custom_domain_host = ${name})
     ORDER BY id LIMIT 1`;
  return row?.id ?? null;
}

/**
 * Makes changes of the company and of its settings wait for each other until the transaction ends.
 *
 * @returns whether the company exists; a deleted one does.
 */
export async function lockCompany(db: Db, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`SELECT id FROM companies WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Makes the settings wait for whoever changes their keys, until the transaction ends. */
export async function lockSettings(db: Db, companyId: number): Promise<void> {
  await db.$queryRaw`SELECT company_id FROM company_settings WHERE company_id = ${companyId} FOR UPDATE`;
}
