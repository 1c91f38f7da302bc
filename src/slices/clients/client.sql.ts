import { lockByName } from "../../core/db/lock-by-name.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** The clients that are not deleted and have these external ids. */
export async function clientsByExternalIds(
  { db, companyId }: CompanyScope,
  externalIds: readonly string[],
): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT entity_id::int AS id FROM external_ids
     WHERE company_id = ${companyId} AND table_name = 'clients' AND external_id = ANY (${[...externalIds]}::text[]) AND deleted_id = 0`;
  return rows.map(({ id }) => id);
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
export async function lockClient(scope: CompanyScope, clientId: number): Promise<boolean> {
  return (await lockClients(scope, [clientId])) > 0;
}

/** Locks clients in the order of their ids. @returns how many of them exist. */
export async function lockClients({ db, companyId }: CompanyScope, ids: readonly number[]): Promise<number> {
  const rows = await db.$queryRaw<object[]>`
    SELECT FROM clients WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::int[]) AND deleted_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.length;
}
