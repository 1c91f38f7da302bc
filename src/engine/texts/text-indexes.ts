import { filterKeys } from "../../core/lists/filter-keys.js";
import type { CheckedList, ListField } from "../../core/lists/list-definition.js";
import { snakeCaseOf } from "../../core/names.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { LARGE_BITS, SMALL_BITS } from "../reads/near-rows.js";

/** How many values of a text PostgreSQL keeps for its planner; by itself it keeps 100. */
const STATISTICS_TARGET = 200;

/**
 * Returns the SQL of the index of a model's filters: one GIN index for all that its list is filtered by and that has no index of
 * its own, and statistics by which the planner knows when to use it. Its keys are the texts that lists are filtered by parts
 * of (those first that order lists), lists of texts, the other fields (`filterKeys`), and ids of rows of other tables that no
 * index of the schema has. In tables that grow most it also has the blocks of ids (`near-rows.ts`). It is `null` for a list
 * that needs none.
 *
 * An index of the same name in the sources is kept.
 */
export function filterIndex(model: ModelName, fields: CheckedList["fields"]): string | null {
  const { table, isCounted, owner } = MODEL_FACTS[model];
  const { texts, lists, others } = filterColumns(model, fields);
  if (texts.length + lists.length + others.length === 0) return null;

  const keys = [
    `"company_id"`,
    ...(owner === null ? [] : [`"${owner.column}"`]),
    ...(isCounted ? [SMALL_BITS, LARGE_BITS].map((bits) => `("id" >> ${bits})`) : []),
    ...texts.map((column) => `folded("${column}") gin_trgm_ops`),
    ...lists.map((column) => `folded_texts("${column}")`),
    ...others.map((column) => `"${column}"`),
  ];
  const statistics = [
    ...texts.map((column) => statisticsOf(table, column, "folded")),
    // Elements of lists that hardly come twice leave statistics in the joined texts alone.
    ...lists.flatMap((column) =>
      ["folded_texts", "joined_texts"].map((form) => statisticsOf(table, column, form)),
    ),
  ];
  return `CREATE INDEX IF NOT EXISTS "${filterIndexName(model)}" ON "${table}" USING gin (${keys.join(", ")});
${statistics.join("")}`;
}

export function filterIndexName(model: ModelName): string {
  return `${MODEL_FACTS[model].table}_filters_idx`;
}

/** Returns the columns of the index of a model's filters: texts, lists of texts, and all others. */
export function filterColumns(model: ModelName, fields: CheckedList["fields"]) {
  const filtered = Object.entries(fields as Readonly<Record<string, ListField>>).filter(
    ([, { filterable }]) => filterable !== false,
  );
  const texts = filtered.filter(([, { kind }]) => kind === "text");
  const keys = [...filterKeys(model, fields), ...unindexedLinks(model)];
  return {
    texts: [
      ...texts.filter(([, { sortable }]) => sortable !== false),
      ...texts.filter(([, { sortable }]) => sortable === false),
    ].map(([field]) => snakeCaseOf(field)),
    lists: filtered.filter(([, { kind }]) => kind === "texts").map(([field]) => snakeCaseOf(field)),
    others: [...new Set(keys)].map(snakeCaseOf),
  };
}

/** Returns the fields with ids of rows of other tables that no index of the schema begins with. */
function unindexedLinks(model: ModelName): readonly string[] {
  const { links, indexed, owner } = MODEL_FACTS[model];
  return links.filter((field) => field !== owner?.field && !indexed.includes(field));
}

function statisticsOf(table: string, column: string, form: string): string {
  const name = `"${table}_${column}_${form}"`;
  return `CREATE STATISTICS ${name} ON (${form}("${column}")) FROM "${table}";
ALTER STATISTICS ${name} SET STATISTICS ${STATISTICS_TARGET};\n`;
}
