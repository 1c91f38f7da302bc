import { MODEL_FACTS, type ModelFacts } from "../../generated/models.js";
import type { CompiledRead } from "../reads/compile-read.js";
import type { Table } from "../reads/model-tables.js";

const COUNTED: readonly ModelFacts[] = Object.values(MODEL_FACTS).filter(({ isCounted }) => isCounted);

/** The tables whose rows the database counts while they are written: those of models with the mark `@counted`. */
export const COUNTED_TABLES: ReadonlySet<string> = new Set(COUNTED.map(({ table }) => table));

/** Returns the SQL of the triggers that count rows, by the table of each counted model. */
export function countTriggers(): ReadonlyMap<string, string> {
  return new Map(COUNTED.map((facts) => [facts.table, triggersOf(facts)]));
}

function triggersOf({ table, isSoftDeleted }: ModelFacts): string {
  const counts = `EXECUTE FUNCTION "count_rows"(${isSoftDeleted ? "'soft'" : ""})`;
  const ofStatement = `CREATE TRIGGER "${table}_count_added" AFTER INSERT ON "${table}"
    REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT ${counts};
CREATE TRIGGER "${table}_count_removed" AFTER DELETE ON "${table}"
    REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT ${counts};\n`;
  if (!isSoftDeleted) return ofStatement;
  return `${ofStatement}CREATE TRIGGER "${table}_count_deleted" AFTER UPDATE OF "deleted_at" ON "${table}"
    FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)) EXECUTE FUNCTION "count_rows"();\n`;
}

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
