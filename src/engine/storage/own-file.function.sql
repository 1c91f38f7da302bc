-- Keeps the states of files in step with the column that owns them: for a trigger after each row of the owner's table.
-- Its arguments name the column and, in JSON, the keys that lead to the file. A file that a row gets becomes used, and
-- the one that it had becomes unused.
CREATE OR REPLACE FUNCTION "own_file"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _old text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) #>> TG_ARGV END;
    _new text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) #>> TG_ARGV END;
    _now CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF _new IS NOT DISTINCT FROM _old THEN
        RETURN NULL;
    END IF;
    UPDATE "stored_files" SET "state" = 'unused', "since" = _now
     WHERE "company_id" = OLD."company_id" AND "key" = _old;
    IF _new IS NOT NULL THEN
        UPDATE "stored_files" SET "state" = 'used', "since" = _now
         WHERE "company_id" = NEW."company_id" AND "key" = _new AND "state" = 'pending';
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the file % is not pending', _new USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END
$$;
