-- Removes the oldest entries of the audit trail from before a moment, at most so many, and returns how many. It is the
-- only way to remove entries, and takes none that is younger than a day.
CREATE OR REPLACE FUNCTION "purge_audit_entries"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _count integer;
BEGIN
    PERFORM set_config('audit.purges', 'on', true);
    /* all companies */
    DELETE FROM "audit_entries" WHERE ctid IN (
        SELECT ctid FROM "audit_entries"
         WHERE "created_at" < least(_before, now() - interval '1 day')
         LIMIT _most);
    GET DIAGNOSTICS _count = ROW_COUNT;
    PERFORM set_config('audit.purges', '', true);
    RETURN _count;
END
$$;
