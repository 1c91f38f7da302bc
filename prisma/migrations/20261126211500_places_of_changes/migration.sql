-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "place" JSONB;

-- AlterTable
ALTER TABLE "journal_entries" ADD COLUMN     "place" JSONB;

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

-- Returns the ids of other rows that a row has, by column: they say to which shop it belonged once it is gone or has moved.
CREATE OR REPLACE FUNCTION "audit_place"(_row jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(_row)
     WHERE key LIKE '%\_id' AND key <> 'company_id' AND jsonb_typeof(value) = 'number'
$$;

-- Writes what becomes of a row that has changed: an entry of the journal, and one of the audit trail when the setting
-- "audit.context" of the transaction says who acts. The trigger names the kind of row, the columns whose values are not shown,
-- the columns of a key that is no "id", and the row's type in the journal, if it has one. An entry has at most 64 KB. It
-- writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb;
    _company_id integer := coalesce(_row ->> 'company_id', _row ->> 'id')::integer;
    _action text := CASE TG_OP
        WHEN 'INSERT' THEN 'create'
        WHEN 'DELETE' THEN 'delete'
        ELSE CASE
            WHEN _old ->> 'deleted_at' IS NULL AND _new ->> 'deleted_at' IS NOT NULL THEN 'delete'
            WHEN _old ->> 'deleted_at' IS NOT NULL AND _new ->> 'deleted_at' IS NULL THEN 'restore'
            ELSE 'update'
        END
    END;
    _bytes integer;
    _place jsonb;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF _context IS NULL THEN
            PERFORM "note_change"(_company_id, TG_ARGV[3], 'create', (_row ->> 'id')::bigint, '{}', NULL);
            RETURN NULL;
        END IF;
        SELECT "changes" INTO _changes FROM "audit_values"(_new, _hidden);
    ELSE
        _changes := "audit_changes"(_old, _new, _hidden);
    END IF;
    -- Whoever changed the row since this transaction began may have a later number: what comes now is told behind that.
    IF TG_NARGS = 4 AND (_old ->> 'updated_at')::timestamptz >= date_trunc('milliseconds', now()) THEN
        PERFORM set_config(
            'journal.place',
            greatest(
                nullif(current_setting('journal.place', true), '')::bigint,
                pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text,
            true);
    END IF;
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    _changes := coalesce(_changes, '{}');
    -- A row that is there leads to its shop by itself.
    IF TG_OP = 'DELETE' OR _key <> '{}'
        OR (TG_OP = 'UPDATE' AND EXISTS (SELECT FROM jsonb_object_keys(_changes) AS key WHERE key LIKE '%\_id')) THEN
        _place := "audit_place"(CASE TG_OP WHEN 'INSERT' THEN _new ELSE _old END);
    END IF;
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"(
            _company_id, TG_ARGV[3], _action, (_row ->> 'id')::bigint,
            CASE _action
                WHEN 'update' THEN ARRAY(SELECT DISTINCT split_part(key, '.', 1) FROM jsonb_object_keys(_changes) AS key)
                ELSE '{}'
            END,
            CASE WHEN _place IS NULL THEN _context ELSE coalesce(_context, '{}') || jsonb_build_object('place', _place) END);
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    _bytes := octet_length(_changes::text);
    IF _bytes > 4096 THEN
        IF _bytes > 64000 THEN
            _changes := "audit_bounded"(_changes);
            _bytes := octet_length(_changes::text);
        END IF;
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END IF;
    INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "target_key", "changes", "place")
    VALUES (
        _company_id,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        _action,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        (SELECT jsonb_object_agg(name, _row -> name) FROM unnest(_key) AS name),
        _changes,
        _place);
    RETURN NULL;
END
$$;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what. A transaction that has changed a row behind another one
-- with a later number goes on by the latest number that had ended by then, so that changes of one row stand in their order. The first
-- entry of a company in a transaction goes with a message to the service, which spreads the news.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "place", "request_id", "actor_kind",
         "actor_id", "trace_parent")
    VALUES (
        _company_id,
        greatest(pg_current_xact_id()::text::bigint, nullif(current_setting('journal.place', true), '')::bigint),
        date_trunc('milliseconds', clock_timestamp()), _type,
        CASE _action WHEN 'create' THEN 'created' WHEN 'delete' THEN 'deleted' WHEN 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context -> 'place', _context ->> 'requestId', _context ->> 'actorKind',
        coalesce(_context ->> 'adminId', _context ->> 'clientId', _context ->> 'apiKeyId')::integer,
        _context ->> 'traceParent');
    IF current_setting('journal.company', true) IS DISTINCT FROM _company_id::text THEN
        PERFORM set_config('journal.company', _company_id::text, true);
        RAISE INFO 'entries of the journal' USING ERRCODE = 'UT002', DETAIL = _company_id::text;
    END IF;
END
$$;
