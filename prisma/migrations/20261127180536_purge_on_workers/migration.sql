-- Refuses to remove entries of the audit trail, whoever does, but what the transaction's "purge_audit_entries" removes by
-- age. That is known by a row that the owner of the tables alone can write, since a setting could be anybody's. A worker of a distributed
-- database has no such row, and takes a setting: nobody writes there but the owner. Whether it is one is seen by the extension, which nobody
-- else can add.
CREATE OR REPLACE FUNCTION "keep_audit_entries"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    _oldest_kept timestamptz;
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus') THEN
        _oldest_kept := nullif(current_setting('audit.oldest_kept', true), '');
    ELSE
        _oldest_kept := (SELECT "oldest_kept" FROM "audit_purges" WHERE "transaction" = pg_current_xact_id()::text::bigint);
    END IF;
    IF EXISTS (SELECT FROM "removed" WHERE "created_at" >= coalesce(_oldest_kept, '-infinity')) THEN
        RAISE EXCEPTION 'entries of the audit trail are removed by age alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Removes the oldest entries of the audit trail from before a moment, at most so many, and returns how many. It is the
-- only way to remove entries, and takes none that is younger than a day. While it removes, "audit_purges" names its
-- transaction, for "keep_audit_entries" to see. It writes as its owner: the service has no right to remove entries by itself. In a
-- distributed database the entries are of the company with the oldest one, and its worker is told by a setting from when they may be: it
-- has to be called in a transaction there.
CREATE OR REPLACE FUNCTION "purge_audit_entries"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _oldest_kept CONSTANT timestamptz := least(_before, now() - interval '1 day');
    _company_id integer;
    _count integer;
BEGIN
    /* all companies */
    -- The least of an index is one look; whether anything is below a moment may be planned as a walk through the table.
    IF coalesce((SELECT min("created_at") FROM "audit_entries") >= _oldest_kept, true) THEN
        RETURN 0;
    END IF;
    INSERT INTO "audit_purges" ("id", "oldest_kept", "transaction")
    VALUES (1, _oldest_kept, pg_current_xact_id()::text::bigint)
    ON CONFLICT ("id") DO UPDATE SET "oldest_kept" = EXCLUDED."oldest_kept", "transaction" = EXCLUDED."transaction";
    IF "is_distributed"() THEN
        SELECT "company_id" INTO _company_id FROM "audit_entries" WHERE "created_at" < _oldest_kept ORDER BY "created_at" LIMIT 1;
        EXECUTE format('SET LOCAL audit.oldest_kept = %L', _oldest_kept);
    END IF;
    DELETE FROM "audit_entries" WHERE (_company_id IS NULL OR "company_id" = _company_id) AND ctid = ANY (ARRAY(
        SELECT ctid FROM "audit_entries"
         WHERE (_company_id IS NULL OR "company_id" = _company_id) AND "created_at" < _oldest_kept ORDER BY "created_at" LIMIT _most));
    GET DIAGNOSTICS _count = ROW_COUNT;
    UPDATE "audit_purges" SET "transaction" = NULL WHERE "id" = 1;
    IF _company_id IS NOT NULL THEN
        SET LOCAL audit.oldest_kept = '';
    END IF;
    RETURN _count;
END
$$;
