DROP TRIGGER audit_entries_append_only ON audit_entries;

CREATE TABLE "audit_purges" (
    "id" INTEGER NOT NULL,
    "oldest_kept" TIMESTAMPTZ(3) NOT NULL,
    "transaction" BIGINT,

    CONSTRAINT "audit_purges_pkey" PRIMARY KEY ("id")
);

ALTER TABLE audit_purges ADD CONSTRAINT audit_purges_id_check CHECK ((id = 1));

-- Refuses to remove entries of the audit trail, whoever does, but what the transaction's "purge_audit_entries" removes by
-- age. That is told by a row that the owner of the tables alone can write, since a setting could be anybody's.
CREATE OR REPLACE FUNCTION "keep_audit_entries"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    _oldest_kept CONSTANT timestamptz := (
        SELECT "oldest_kept" FROM "audit_purges" WHERE "transaction" = pg_current_xact_id()::text::bigint);
BEGIN
    IF EXISTS (SELECT FROM "removed" WHERE "created_at" >= coalesce(_oldest_kept, '-infinity')) THEN
        RAISE EXCEPTION 'entries of the audit trail are removed by age alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Removes the oldest entries of the audit trail from before a moment, at most so many, and returns how many. It is the
-- only way to remove entries, and takes none that is younger than a day. While it removes, "audit_purges" names its
-- transaction, for "keep_audit_entries" to see. It writes as its owner: the service has no right to remove entries by itself.
CREATE OR REPLACE FUNCTION "purge_audit_entries"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _oldest_kept CONSTANT timestamptz := least(_before, now() - interval '1 day');
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
    DELETE FROM "audit_entries" WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM "audit_entries" WHERE "created_at" < _oldest_kept ORDER BY "created_at" LIMIT _most));
    GET DIAGNOSTICS _count = ROW_COUNT;
    UPDATE "audit_purges" SET "transaction" = NULL WHERE "id" = 1;
    RETURN _count;
END
$$;

CREATE TRIGGER audit_entries_kept AFTER DELETE ON public.audit_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entries();

CREATE TRIGGER audit_purges_not_emptied BEFORE TRUNCATE ON public.audit_purges FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
