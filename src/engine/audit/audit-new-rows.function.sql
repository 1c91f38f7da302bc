-- Writes the entries of the journal and of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _company_id integer;
    _bytes bigint;
BEGIN
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"("company_id", TG_ARGV[3], 'create', "id", '{}', _context) FROM "written";
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    FOR _company_id, _bytes IN
    WITH "entries" AS (
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "target_key", "changes", "place")
    SELECT (n."row" ->> 'company_id')::integer,
           _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
           (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
           'create', TG_ARGV[0],
           CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
           CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
           CASE WHEN octet_length(v."changes"::text) > 64000 THEN "audit_bounded"(v."changes") ELSE v."changes" END,
           CASE WHEN _key <> '{}' THEN "audit_place"(n."row") END
      FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n, "audit_values"(n."row", _hidden) AS v
    RETURNING "company_id", octet_length("changes"::text) AS "bytes"
    ), "counted" AS (
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount")
        SELECT "company_id", 'trail', current_date, sum("bytes") FROM "entries" GROUP BY "company_id"
    )
    SELECT "company_id", sum("bytes") FROM "entries" WHERE "bytes" > 4096 GROUP BY "company_id"
    LOOP
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END LOOP;
    RETURN NULL;
END
$$;
