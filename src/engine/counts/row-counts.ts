import { MODEL_FACTS, type ModelFacts } from "../../generated/models.js";

const COUNTED: readonly ModelFacts[] = Object.values(MODEL_FACTS).filter(({ isCounted }) => isCounted);

/** The tables whose rows the database counts while they are written: those of models with the mark `@counted`. */
export const COUNTED_TABLES: ReadonlySet<string> = new Set(COUNTED.map(({ table }) => table));

/** Returns the SQL of the triggers that count rows, by the table of each counted model. */
export function countTriggers(): ReadonlyMap<string, string> {
  return new Map(COUNTED.map((facts) => [facts.table, triggersOf(facts)]));
}

function triggersOf({ table, isSoftDeleted }: ModelFacts): string {
  const counts = `EXECUTE FUNCTION "count_rows"('${table}'${isSoftDeleted ? ", 'soft'" : ""})`;
  const ofStatement = `CREATE TRIGGER "${table}_count_added" AFTER INSERT ON "${table}"
    REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT ${counts};
CREATE TRIGGER "${table}_count_removed" AFTER DELETE ON "${table}"
    REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT ${counts};\n`;
  if (!isSoftDeleted) return ofStatement;
  return `${ofStatement}CREATE TRIGGER "${table}_count_deleted" AFTER UPDATE OF "deleted_at" ON "${table}"
    FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)) EXECUTE FUNCTION "count_rows"('${table}');\n`;
}
