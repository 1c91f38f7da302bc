import { sql } from "../../core/db/sql.js";
import { targetTypeOf } from "../../core/operations/audited-models.js";
import { idsOfPerson, modelOfPerson, rowsOfPerson, type PersonRows } from "../../core/people/person-rows.js";
import { MODEL_FACTS, type ModelFacts } from "../../generated/models.js";
import { MODELS } from "../../core/scope/tenant-models.js";

type PersonKind = NonNullable<ModelFacts["principal"]>;

/** A function that erases what the trail has of persons of a kind. */
export interface EraseScript {
  readonly table: string;
  readonly script: string;
  readonly function: string;
}

/** Returns the functions that erase from the trail, for each kind of caller whose model has the mark `@personal`. */
export function eraseScripts(): EraseScript[] {
  return MODELS.flatMap((model) => {
    const { principal, personal, table } = MODEL_FACTS[model];
    if (principal === null || personal.length === 0) return [];
    return [{ table, script: eraseScript(principal), function: `erase_${principal}_from_trail` }];
  });
}

function eraseScript(kind: PersonKind): string {
  const { table } = MODEL_FACTS[modelOfPerson(kind)];
  const steps = rowsOfPerson(kind).filter(({ model }) => {
    const { personal, audit, key } = MODEL_FACTS[model];
    return personal.length > 0 && audit !== null && key.includes("id");
  });
  return `-- Takes what was known of a person out of the entries of the audit trail: the values of the columns with the mark "@personal" in
-- entries of its rows, those that are gone long since too, and from where it has signed in. Nothing else of an entry changes, see
-- "keep_audit_values", and only entries of somebody whose row says that it is erased. It writes as its owner: the service has no right
-- to change entries by itself. While it changes some, "audit_erasures" names its transaction.
CREATE OR REPLACE FUNCTION "erase_${kind}_from_trail"(_company_id integer, _id integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _erased_by bigint := CASE WHEN "is_distributed"() THEN NULL ELSE pg_current_xact_id()::text::bigint END;
BEGIN
    PERFORM FROM "${table}" WHERE "company_id" = _company_id AND "id" = _id AND "erased_at" IS NOT NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the trail keeps what it has of a ${kind} that is not erased' USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO "audit_erasures" ("company_id", "kind", "subject_id", "transaction", "erased_by")
    VALUES (_company_id, '${kind}', _id, pg_current_xact_id()::text::bigint, _erased_by)
    ON CONFLICT ("company_id", "kind", "subject_id")
    DO UPDATE SET "erased_at" = EXCLUDED."erased_at", "transaction" = EXCLUDED."transaction",
                  "erased_by" = EXCLUDED."erased_by";
${steps.map(stepOf).join("")}    UPDATE "audit_entries" SET "address" = NULL, "device" = NULL
     WHERE "company_id" = _company_id AND ("address" IS NOT NULL OR "device" IS NOT NULL)
       AND ("${kind}_id" = _id OR "target_type" = '${targetTypeOf(modelOfPerson(kind))}' AND "target_id" = _id);
    UPDATE "audit_erasures" SET "transaction" = NULL
     WHERE "company_id" = _company_id AND "kind" = '${kind}' AND "subject_id" = _id;
END
$$;
`;
}

function stepOf(rows: PersonRows): string {
  const columns = MODEL_FACTS[rows.model].personal.map(({ column }) => column).join(",");
  return `    UPDATE "audit_entries" SET "changes" = "audit_without"("changes", '{${columns}}')
     WHERE "company_id" = _company_id AND "target_type" = '${targetTypeOf(rows.model)}'
       AND "target_id" = ANY (ARRAY(${idsOfPerson(rows, sql.raw("_company_id"), sql.raw("_id")).text}))
       AND "changes" <> "audit_without"("changes", '{${columns}}');
`;
}
