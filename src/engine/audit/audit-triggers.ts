import { AUDITED_MODELS, FOLLOWED_MODELS, targetTypeOf } from "../../core/operations/audited-models.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS, type ModelFacts } from "../../generated/models.js";

/** Entries of the trail are only written where the transaction says who acts; the journal has all changes. */
const WHEN_KNOWN = "WHEN (current_setting('audit.context', true) <> '')";

/** Returns the SQL of the triggers that write the audit trail, by the table of each audited model. */
export function auditTriggers(): ReadonlyMap<string, string> {
  return new Map(
    AUDITED_MODELS.map((model) => {
      const facts = MODEL_FACTS[model];
      return [facts.table, triggersOf(model, facts)];
    }),
  );
}

/**
 * Returns the triggers of one table. Their arguments are the kind of row, the columns whose values are not shown, the columns
 * of a key that is no `id`, and the type in the journal. Where many rows are added at once, the entries of new rows are written once for the whole
 * statement.
 */
function triggersOf(model: ModelName, { table, key, audit }: ModelFacts): string {
  const kind = targetTypeOf(model);
  const { hides = [], updates = [], inBatches = false } = audit ?? {};
  const named = key.includes("id") ? [] : key.filter((column) => column !== "company_id");
  const lists = named.length > 0 ? [hides, named] : hides.length > 0 ? [hides] : [];
  const isJournaled = FOLLOWED_MODELS.includes(model);
  const shown = isJournaled ? [hides, named] : lists;
  const values = [kind, ...shown.map((columns) => `{${columns.join()}}`), ...(isJournaled ? [model] : [])]
    .map((value) => `'${value}'`)
    .join(", ");
  const update =
    updates.length === 0 ? "UPDATE" : `UPDATE OF ${updates.map((column) => `"${column}"`).join(", ")}`;
  const when = isJournaled ? "" : `${WHEN_KNOWN} `;
  const events = inBatches ? `${update} OR DELETE` : `INSERT OR ${update} OR DELETE`;
  const rows = `CREATE TRIGGER "${table}_audit" AFTER ${events} ON "${table}"
    FOR EACH ROW ${when}EXECUTE FUNCTION "audit_row"(${values});\n`;
  if (!inBatches) return rows;
  return `${rows}CREATE TRIGGER "${table}_audit_new" AFTER INSERT ON "${table}" REFERENCING NEW TABLE AS "written"
    FOR EACH STATEMENT ${when}EXECUTE FUNCTION "audit_new_rows"(${values});\n`;
}
