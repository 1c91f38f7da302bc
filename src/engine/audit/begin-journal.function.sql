-- Begins the journal anew in a database that has come from a dump: numbers of transactions begin anew there, so that entries
-- from before have no place among those from then on. Whoever follows learns that by a cursor that holds no more.
CREATE OR REPLACE FUNCTION "begin_journal"() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _identity CONSTANT text := concat_ws('/',
        (SELECT system_identifier FROM pg_control_system()),
        (SELECT oid FROM pg_database WHERE datname = current_database()), 'journal_entries'::regclass::oid);
BEGIN
    /* all companies */
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1 AND "identity" = _identity) THEN
        RETURN;
    END IF;
    LOCK TABLE "journal_states" IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1 AND "identity" = _identity) THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1) THEN
        TRUNCATE "journal_entries";
    END IF;
    INSERT INTO "journal_states" ("id", "identity", "started_at")
    VALUES (1, _identity, CASE WHEN EXISTS (SELECT FROM "journal_states" WHERE "id" = 1) THEN clock_timestamp() ELSE 'epoch' END)
    ON CONFLICT ("id") DO UPDATE SET "identity" = EXCLUDED."identity", "started_at" = EXCLUDED."started_at", "purged_before" = NULL;
END
$$;
