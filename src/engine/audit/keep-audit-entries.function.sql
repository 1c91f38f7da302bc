-- Refuses to remove entries of the audit trail, whoever does, but what the transaction's "purge_audit_entries" removes by
-- age. That is known by a row that the owner of the tables alone can write, since a setting could be anybody's.
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
