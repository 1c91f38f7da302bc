import { MODEL_FACTS, type ModelFacts, type WholeFacts } from "../../generated/models.js";
import { snakeCaseOf } from "../../core/names.js";
import { hasField, MODELS } from "../../core/scope/tenant-models.js";

/** The field that says how often a row has changed. */
const VERSION = "version";

/** A part of the SQL that moves versions. */
export interface VersionScript {
  readonly table: string;
  readonly script: string;
  /** The name of the function that it creates; `null` for triggers. */
  readonly function: string | null;
}

/**
 * Returns the SQL by which versions move: that of a row when it is changed, and that of a whole when its parts are added,
 * changed or removed.
 */
export function versionScripts(): VersionScript[] {
  const parts = MODELS.flatMap((model) => {
    const facts = MODEL_FACTS[model];
    const isVersioned = hasField(model, VERSION);
    const own = isVersioned ? [{ table: facts.table, script: ownTrigger(facts), function: null }] : [];
    return [...own, ...facts.wholes.flatMap((whole) => wholeScripts(facts, whole, isVersioned))];
  });
  const wholes = new Set(MODELS.flatMap((model) => MODEL_FACTS[model].wholes.map(({ table }) => table)));
  return [
    ...parts,
    ...[...wholes].map((table) => ({ table, script: foreignTrigger(table), function: null })),
  ];
}

function ownTrigger({ table, made }: ModelFacts): string {
  const others = made.length === 0 ? "" : `'{${made.join()}}'`;
  return `CREATE TRIGGER "${table}_version" BEFORE UPDATE OF "updated_at", "version" ON "${table}"
    FOR EACH ROW EXECUTE FUNCTION "move_version"(${others});\n`;
}

/** Returns the trigger of the table of a whole that remembers which versions are of other transactions. */
function foreignTrigger(table: string): string {
  return `CREATE TRIGGER "${table}_foreign_version" BEFORE UPDATE ON "${table}"
    FOR EACH ROW WHEN (OLD."updated_at" >= date_trunc('milliseconds', "transaction_began"()))
    EXECUTE FUNCTION "note_foreign_version"('${table}');\n`;
}

/** The memory of the wholes that a transaction has noted has so many characters at most: it is copied with each of them. */
const MOST_NOTED = 60_000;

/**
 * Returns what moves the version of a whole. It moves once in a transaction: a whole that the transaction has made or moved
 * has a moment that is not before it, and no version that another one has given it meanwhile. What changes along with it stands in the
 * journal's entry of that move. Each kind of part is noted once, too: a setting of the transaction remembers the ids, and begins anew when it is
 * full, so that of thousands of wholes some may be noted again. What is undone to a savepoint is forgotten with its entries.
 */
function wholeScripts({ table }: ModelFacts, whole: WholeFacts, isVersioned: boolean): VersionScript[] {
  const name = `move_${whole.table}_of_${table}`;
  const { column } = whole;
  const company =
    whole.model === "Company" ? "" : `"company_id" = coalesce(NEW."company_id", OLD."company_id") AND `;
  const changed = isVersioned ? `WHEN (OLD."version" <> NEW."version") ` : "";
  const counts =
    whole.by === null
      ? ""
      : `    IF OLD."${whole.by}" IS NOT DISTINCT FROM NEW."${whole.by}" THEN RETURN NULL; END IF;\n`;
  const moves = `-- Moves the versions of "${whole.table}" whose parts in "${table}" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.${name}', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.${whole.table}', true), '');
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
${counts}    UPDATE "${whole.table}" SET "version" = "version" + 1
     WHERE ${company}"id" IN (OLD."${column}", NEW."${column}")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT ${whole.model === "Company" ? '"id"' : '"company_id"'}, "id" FROM "${whole.table}"
         WHERE ${company}"id" IN (OLD."${column}", NEW."${column}")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, '${whole.model}', _action, _id, '{${snakeCaseOf(whole.field)}}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < ${MOST_NOTED} THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.${name}', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;\n`;
  const triggers = `CREATE TRIGGER "${table}_moves_${whole.table}" AFTER INSERT OR DELETE ON "${table}"
    FOR EACH ROW EXECUTE FUNCTION "${name}"();
CREATE TRIGGER "${table}_changes_${whole.table}" AFTER UPDATE ON "${table}"
    FOR EACH ROW ${changed}EXECUTE FUNCTION "${name}"();\n`;
  return [
    { table, script: moves, function: name },
    { table, script: triggers, function: null },
  ];
}
