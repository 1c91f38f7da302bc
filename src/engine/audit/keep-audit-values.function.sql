-- Refuses to change entries of the audit trail, whoever does, but for values that an erasure takes out: nothing takes their place. That
-- one goes on is known by a row that the owner of the tables alone can write, since a setting could be anybody's. It is read apart from
-- the entries: a distributed table is not joined with rows that the transaction alone sees.
CREATE OR REPLACE FUNCTION "keep_audit_values"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    _company_id integer;
    _is_erased boolean := true;
BEGIN
    FOR _company_id IN SELECT DISTINCT "company_id" FROM "written" LOOP
        _is_erased := _is_erased AND EXISTS (
            SELECT FROM "audit_erasures"
             WHERE "company_id" = _company_id AND "transaction" = pg_current_xact_id()::text::bigint);
    END LOOP;
    IF NOT _is_erased OR EXISTS (
        SELECT FROM "written" AS w
         WHERE NOT EXISTS (
             SELECT FROM "replaced" AS r
              WHERE r."company_id" = w."company_id" AND r."id" = w."id"
                AND to_jsonb(r) - '{changes,address,device}'::text[] = to_jsonb(w) - '{changes,address,device}'::text[]
                AND (w."address" IS NULL OR w."address" = r."address")
                AND (w."device" IS NULL OR w."device" = r."device")
                AND w."changes" = coalesce((
                    SELECT jsonb_object_agg(
                               key, CASE WHEN w."changes" -> key = '[null, null]' THEN '[null, null]' ELSE value END)
                      FROM jsonb_each(r."changes")), '{}'))) THEN
        RAISE EXCEPTION 'entries of the audit trail are never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
