-- Writes the entries of the journal and of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written". What they say is read by a statement of its own, and written
-- company by company, as in "count_rows".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _company_id integer;
    _rows jsonb[];
    _changes jsonb[];
    _bytes bigint;
    _long_bytes bigint;
BEGIN
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"("company_id", TG_ARGV[3], 'create', "id", '{}', _context) FROM "written";
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    FOR _company_id, _rows, _changes, _bytes, _long_bytes IN
        SELECT (e."row" ->> 'company_id')::integer, array_agg(e."row"), array_agg(e."changes"), sum(octet_length(e."changes"::text)),
               sum(octet_length(e."changes"::text)) FILTER (WHERE octet_length(e."changes"::text) > 4096)
          FROM (SELECT n."row", CASE WHEN octet_length(v."changes"::text) > 64000 THEN "audit_bounded"(v."changes") ELSE v."changes" END AS "changes"
                  FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n, "audit_values"(n."row", _hidden) AS v
                OFFSET 0) AS e
         GROUP BY 1
    LOOP
        INSERT INTO "audit_entries"
            ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
             "action", "target_type", "target_id", "target_key", "changes", "place")
        SELECT _company_id,
               _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
               (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
               'create', TG_ARGV[0],
               CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
               CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
               n."changes",
               CASE WHEN _key <> '{}' THEN "audit_place"(n."row") END
          FROM unnest(_rows, _changes) AS n("row", "changes");
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
        IF _long_bytes IS NOT NULL THEN
            PERFORM "charge_audit_bytes"(_company_id, _long_bytes, _context);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
