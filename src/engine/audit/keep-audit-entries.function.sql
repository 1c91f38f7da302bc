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
