-- Keeps in "external_ids" which row has an id of the company's own systems. The arguments are the table and, where its rows can be deleted
-- softly, 'soft': a deleted row gives its id up, and takes it again when it is restored.
CREATE OR REPLACE FUNCTION "keep_external_id"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _deleted_id integer := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "external_ids"
         WHERE "company_id" = OLD."company_id" AND "table_name" = TG_ARGV[0]
           AND "external_id" = OLD."external_id" AND "entity_id" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' AND NEW."external_id" IS NOT NULL THEN
        -- Other tables have no such column, so the expression stands alone.
        IF TG_NARGS = 2 THEN
            _deleted_id := CASE WHEN NEW."deleted_at" IS NULL THEN 0 ELSE NEW."id" END;
        END IF;
        INSERT INTO "external_ids" ("company_id", "table_name", "external_id", "deleted_id", "entity_id")
        VALUES (NEW."company_id", TG_ARGV[0], NEW."external_id", _deleted_id, NEW."id");
    END IF;
    RETURN NULL;
END
$$;
