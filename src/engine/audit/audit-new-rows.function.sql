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
    _ids bigint[];
    _keys jsonb[];
    _places jsonb[];
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
    FOR _company_id, _ids, _keys, _places, _changes, _bytes, _long_bytes IN
        SELECT e."company_id",
               array_agg(CASE WHEN _key = '{}' THEN e."row" ->> 'id' END::bigint),
               array_agg(CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, e."row" -> name) FROM unnest(_key) AS name) END),
               array_agg(CASE WHEN _key <> '{}' THEN "audit_place"(e."row") END),
               array_agg(e."changes"), sum(e."bytes"), sum(e."bytes") FILTER (WHERE e."bytes" > 4096)
          FROM (SELECT c."company_id", c."row", c."changes", CASE WHEN c."bytes" > 64000 THEN octet_length(c."changes"::text) ELSE c."bytes" END AS "bytes"
                  FROM (SELECT w."company_id", w."row", w."bytes", CASE WHEN w."bytes" > 64000 THEN "audit_bounded"(w."changes") ELSE w."changes" END AS "changes"
                          FROM (SELECT n."company_id", n."row", v."changes", octet_length(v."changes"::text) AS "bytes"
                                  FROM (SELECT "company_id", to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n,
                                       "audit_values"(n."row", _hidden) AS v
                                OFFSET 0) AS w
                        OFFSET 0) AS c
                OFFSET 0) AS e
         GROUP BY e."company_id"
    LOOP
        INSERT INTO "audit_entries"
            ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
             "action", "target_type", "target_id", "target_key", "changes", "place")
        SELECT _company_id,
               _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
               (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
               'create', TG_ARGV[0], n."id", n."key", n."changes", n."place"
          FROM unnest(_ids, _keys, _changes, _places) AS n("id", "key", "changes", "place");
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
        IF _long_bytes IS NOT NULL THEN
            PERFORM "charge_audit_bytes"(_company_id, _long_bytes, _context);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
