import { lockByName } from "../../core/db/lock-by-name.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The client that is not deleted and has an external id; `null` where there is none. */
export async function clientByExternalId(
  { db, companyId }: CompanyScope,
  externalId: string,
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT entity_id::int AS id FROM external_ids
     WHERE company_id = ${companyId} AND table_name = 'clients' AND external_id = ${externalId} AND deleted_id = 0`;
  return row?.id ?? null;
}

/** Lets one row at a time create a client by its external id, until the transaction ends. */
export function lockExternalIds(scope: CompanyScope): Promise<void> {
  return lockByName(scope, `external ids of clients of ${scope.companyId}`);
}

/**
 * Makes other changes of what belongs to the client wait until this transaction ends.
 *
 * @returns whether the client exists.
 */
export async function lockClient({ db, companyId }: CompanyScope, clientId: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM clients WHERE company_id = ${companyId} AND id = ${clientId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}
