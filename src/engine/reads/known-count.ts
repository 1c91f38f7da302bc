import { COUNTED_TABLES } from "../counts/row-counts.js";
import type { CompiledRead } from "./compile-read.js";
import type { Table } from "./model-tables.js";

/**
 * Compiles the count of all rows of a company, or of those that are not deleted, to a sum of what the database has
 * counted: it takes the same time for a million rows as for one.
 *
 * @returns `null` for a table that is not counted, and for any other condition.
 */
export function compileKnownCount(table: Table, where: unknown): CompiledRead | null {
  if (!COUNTED_TABLES.has(table.name)) return null;
  const { companyId, deletedAt, AND, ...others } = (where ?? {}) as Record<string, unknown>;
  const isPlain = AND === undefined || (Array.isArray(AND) && AND.length === 0);
  if (typeof companyId !== "number" || !isPlain || Object.keys(others).length > 0) return null;
  if (deletedAt !== undefined && deletedAt !== null) return null;
  const rows = deletedAt === null ? `"live"` : `"live" + "deleted"`;
  const text = `SELECT coalesce(sum(${rows}), 0)::int AS count FROM "row_counts" WHERE "company_id" = $1 AND "table_name" = $2`;
  return { text, values: [companyId, table.name] };
}
