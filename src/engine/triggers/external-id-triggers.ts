import { MODEL_FACTS, type ModelFacts } from "../../generated/models.js";

/** The field with the id that the company's own systems know a row by. */
const EXTERNAL_ID = "externalId";

/** Returns the SQL of the triggers that keep external ids, by the table of each model whose rows have one. */
export function externalIdTriggers(): ReadonlyMap<string, string> {
  const models = Object.values(MODEL_FACTS).filter(
    ({ fields, key }) => fields.includes(EXTERNAL_ID) && key.includes("id"),
  );
  return new Map(models.map((facts) => [facts.table, triggersOf(facts)]));
}

function triggersOf({ table, isSoftDeleted }: ModelFacts): string {
  const keeps = `EXECUTE FUNCTION "keep_external_id"('${table}'${isSoftDeleted ? ", 'soft'" : ""})`;
  const columns = isSoftDeleted ? `"external_id", "deleted_at"` : `"external_id"`;
  const isDeletedOrBack = ` OR NEW."external_id" IS NOT NULL AND (OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)`;
  return `CREATE TRIGGER "${table}_external_id_added" AFTER INSERT ON "${table}"
    FOR EACH ROW WHEN (NEW."external_id" IS NOT NULL) ${keeps};
CREATE TRIGGER "${table}_external_id_changed" AFTER UPDATE OF ${columns} ON "${table}"
    FOR EACH ROW WHEN (OLD."external_id" IS DISTINCT FROM NEW."external_id"${isSoftDeleted ? isDeletedOrBack : ""}) ${keeps};
CREATE TRIGGER "${table}_external_id_removed" AFTER DELETE ON "${table}"
    FOR EACH ROW WHEN (OLD."external_id" IS NOT NULL) ${keeps};\n`;
}
