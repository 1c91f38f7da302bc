-- Does what "own_file" does for lists: a trigger's arguments name columns of texts, among which are keys of files. Other
-- texts are no files of the store. A file that moves within these columns stays used.
CREATE OR REPLACE FUNCTION "own_files"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _old text[] := '{}';
    _new text[] := '{}';
    _got text[];
    _column text;
    _now CONSTANT timestamptz := clock_timestamp();
BEGIN
    FOREACH _column IN ARRAY TG_ARGV LOOP
        IF TG_OP <> 'INSERT' THEN
            _old := _old || ARRAY(SELECT jsonb_array_elements_text(to_jsonb(OLD) -> _column));
        END IF;
        IF TG_OP <> 'DELETE' THEN
            _new := _new || ARRAY(SELECT jsonb_array_elements_text(to_jsonb(NEW) -> _column));
        END IF;
    END LOOP;
    IF _new = _old THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        UPDATE "stored_files" SET "state" = 'unused', "since" = _now
         WHERE "company_id" = OLD."company_id" AND "key" = ANY(_old) AND "key" <> ALL(_new);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        _got := ARRAY(SELECT DISTINCT key FROM unnest(_new) AS key
                       WHERE key ~ '^[0-9a-f]{32}[.](jpg|png)$' AND key <> ALL(_old));
        WITH taken AS (
            UPDATE "stored_files" SET "state" = 'used', "since" = _now
             WHERE "company_id" = NEW."company_id" AND "key" = ANY(_got) AND "state" = 'pending'
            RETURNING "key")
        SELECT array_agg(key) INTO _got FROM unnest(_got) AS key WHERE key NOT IN (SELECT "key" FROM taken);
        IF _got IS NOT NULL THEN
            RAISE EXCEPTION 'the files % are not pending', _got USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END
$$;
