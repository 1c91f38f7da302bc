import { Prisma } from "../../generated/prisma/client.js";
import type { CompanyScope } from "../scope/company-scope.js";

/** Rows that an owner has in an order of its own, by their column `in_order`. */
export interface OrderedRows {
  readonly table: "client_favorites" | "good_properties";
  /** Column of the owner. */
  readonly owner: string;
  /** Column that tells the owner's rows apart. */
  readonly row: string;
}

/**
 * Makes room at a place that another row has, so that no two share it. A row that moves there from another place leaves
 * its own to those between; a new one moves all from there on down by one.
 */
export async function makeRoom(
  { db, companyId }: CompanyScope,
  rows: OrderedRows,
  { ownerId, rowId, inOrder }: { ownerId: number; rowId: number; inOrder: number },
): Promise<void> {
  const [table, owner, row] = [rows.table, rows.owner, rows.row].map((name) => Prisma.raw(name));
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
