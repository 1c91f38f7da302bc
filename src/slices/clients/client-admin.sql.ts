import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Keeps admins from being deleted until the transaction ends, as no deleted admin looks after a client. They are
 * locked in the order of their ids.
 *
 * @returns the ids of those that are there.
 */
export async function lockAdmins(
  { db, companyId }: CompanyScope,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins
     WHERE company_id = ${companyId} AND id = ANY (${[...ids]}) AND deleted_at IS NULL
     ORDER BY id FOR SHARE`;
  return new Set(rows.map(({ id }) => id));
}
