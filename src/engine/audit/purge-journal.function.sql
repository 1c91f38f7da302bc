-- Removes the oldest entries of the journal from before a moment, at most so many, and returns how many. In a distributed database these are
-- of the company with the oldest one.
CREATE OR REPLACE FUNCTION "purge_journal"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _count integer;
    _company_id integer;
BEGIN
    /* all companies */
    IF coalesce((SELECT min("at") FROM "journal_entries") >= _before, true) THEN
        RETURN 0;
    END IF;
    UPDATE "journal_states" SET "purged_before" = greatest("purged_before", _before) WHERE "id" = 1;
    IF "is_distributed"() THEN
        SELECT "company_id" INTO _company_id FROM "journal_entries" WHERE "at" < _before ORDER BY "at" LIMIT 1;
    END IF;
    DELETE FROM "journal_entries" WHERE (_company_id IS NULL OR "company_id" = _company_id) AND ctid = ANY (ARRAY(
        SELECT ctid FROM "journal_entries"
         WHERE (_company_id IS NULL OR "company_id" = _company_id) AND "at" < _before ORDER BY "at" LIMIT _most));
    GET DIAGNOSTICS _count = ROW_COUNT;
    RETURN _count;
END
$$;
