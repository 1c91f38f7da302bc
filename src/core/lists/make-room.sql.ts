import { MODEL_FACTS } from "../../generated/models.js";
import { sql } from "../db/sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";

/** A model whose rows belong to owners, each of whom orders its rows by their column `in_order`. */
export interface OrderedRows {
  readonly model: ModelName;
  /** Column with the owner's id. */
  readonly owner: string;
  /** Column that sets the owner's rows apart from each other. */
  readonly row: string;
}

/**
 * Frees a place in an owner's order, so that no two rows share it. When the row already has a place, the rows between
 * its old and its new place move by one towards the old; for a new row, all rows from the place on move down by one.
 * Nothing moves when the place is free.
 */
export async function makeRoom(
  { db, companyId }: CompanyScope,
  rows: OrderedRows,
  { ownerId, rowId, inOrder }: { ownerId: number; rowId: number; inOrder: number },
): Promise<void> {
  const [table, owner, row] = [MODEL_FACTS[rows.model].table, rows.owner, rows.row].map((name) =>
    sql.raw(name),
  );
  await db.$executeRaw`
    WITH others AS (
      SELECT ${row} AS id, in_order FROM ${table}
       WHERE company_id = ${companyId} AND ${owner} = ${ownerId} AND ${row} <> ${rowId}
    ), own AS (
      SELECT (SELECT in_order FROM ${table}
               WHERE company_id = ${companyId} AND ${owner} = ${ownerId} AND ${row} = ${rowId}) AS place
    ), moved AS (
      SELECT others.id, CASE WHEN own.place < ${inOrder}::int THEN -1 ELSE 1 END AS by
        FROM others, own
       WHERE EXISTS (SELECT FROM others WHERE in_order = ${inOrder}::int)
         AND CASE WHEN own.place < ${inOrder}::int THEN in_order > own.place AND in_order <= ${inOrder}::int
                  ELSE in_order >= ${inOrder}::int AND (own.place IS NULL OR in_order < own.place) END
    )
    UPDATE ${table} f SET in_order = f.in_order + moved.by
      FROM moved
     WHERE f.company_id = ${companyId} AND f.${owner} = ${ownerId} AND f.${row} = moved.id`;
}
