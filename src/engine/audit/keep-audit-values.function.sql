-- Refuses to change entries of the audit trail, whoever does, but for values that an erasure takes out: nothing takes their place. That
-- one goes on is known by a row that the owner of the tables alone can write, since a setting could be anybody's.
CREATE OR REPLACE FUNCTION "keep_audit_values"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" AS w
         WHERE NOT EXISTS (
             SELECT FROM "audit_erasures" AS e
              WHERE e."company_id" = w."company_id" AND e."transaction" = pg_current_xact_id()::text::bigint)
            OR NOT EXISTS (
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
