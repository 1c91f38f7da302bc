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
    _moves_nothing boolean;
    _bytes integer;
    _place jsonb;
    _named jsonb;
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
    -- What moves no version belongs to what this transaction has moved it by: to the making of the row, or to the entry of its change.
    _moves_nothing := _action = 'update' AND _old -> 'version' = _new -> 'version';
    IF TG_NARGS = 4 AND NOT (_moves_nothing AND _old -> 'version' = '1' AND "wrote_row"(OLD.xmin)) THEN
        PERFORM "note_change"(
            _company_id, TG_ARGV[3], CASE WHEN _moves_nothing THEN 'part' ELSE _action END, (_row ->> 'id')::bigint,
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
    IF _key <> '{}' THEN
        SELECT jsonb_object_agg(name, _row -> name) INTO _named FROM unnest(_key) AS name;
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
        _named,
        _changes,
        _place);
    RETURN NULL;
END
$$;
