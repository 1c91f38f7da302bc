import type { CheckedList, ListField } from "../../core/lists/list-definition.js";
import { snakeCaseOf } from "../../core/names.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { LARGE_BITS, SMALL_BITS } from "../reads/near-rows.js";

/** How many values of a text PostgreSQL keeps for its planner; by itself it keeps 100. */
const STATISTICS_TARGET = 200;

/**
 * Returns the SQL that finds parts of the texts that lists of a model are filtered by: the index of all of them, and
 * statistics by which the planner knows when to use it. The index has the texts that order lists first and lists of texts last.
 * In tables that grow most it also has the blocks of ids (`near-rows.ts`). It is `null` for a list without texts.
 *
 * Where the sources have an index of the same name, that one is kept.
 */
export function textIndex(model: ModelName, fields: CheckedList["fields"]): string | null {
  const { table, isSoftDeleted, isCounted, owner } = MODEL_FACTS[model];
  const filtered = Object.entries(fields as Readonly<Record<string, ListField>>).filter(
    ([, { filterable }]) => filterable !== false,
  );
  const texts = filtered.filter(([, { kind }]) => kind === "text");
  const columns = [
    ...texts.filter(([, { sortable }]) => sortable !== false),
    ...texts.filter(([, { sortable }]) => sortable === false),
  ].map(([field]) => snakeCaseOf(field));
  const lists = filtered.filter(([, { kind }]) => kind === "texts").map(([field]) => snakeCaseOf(field));
  if (columns.length + lists.length === 0) return null;

  const keys = [
    `"company_id"`,
    ...(owner === null ? [] : [`"${owner.column}"`]),
    ...(isCounted ? [SMALL_BITS, LARGE_BITS].map((bits) => `("id" >> ${bits})`) : []),
    ...columns.map((column) => `folded("${column}") gin_trgm_ops`),
    ...lists.map((column) => `folded_texts("${column}")`),
  ];
  const condition = isSoftDeleted ? ` WHERE "deleted_at" IS NULL` : "";
  const statistics = [
    ...columns.map((column) => statisticsOf(table, column, "folded")),
    // Elements of lists that hardly come twice leave statistics in the joined texts alone.
    ...lists.flatMap((column) =>
      ["folded_texts", "joined_texts"].map((form) => statisticsOf(table, column, form)),
    ),
  ];
  return `CREATE INDEX IF NOT EXISTS "${table}_texts_idx" ON "${table}" USING gin (${keys.join(", ")})${condition};
${statistics.join("")}`;
}

function statisticsOf(table: string, column: string, form: string): string {
  const name = `"${table}_${column}_${form}"`;
  return `CREATE STATISTICS ${name} ON (${form}("${column}")) FROM "${table}";
ALTER STATISTICS ${name} SET STATISTICS ${STATISTICS_TARGET};\n`;
}
