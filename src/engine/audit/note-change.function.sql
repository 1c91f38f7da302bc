-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what. A transaction that has changed a row behind another one
-- with a later number goes on by the latest number that had ended by then, so that changes of one row stand in their order. The first
-- entry of a company in a transaction goes with a message to the service, which spreads the news. What a job does is nobody's act, also
-- where the trail has it in the name of whoever asked for it.
-- A 'part' is a change of parts with which the version of their whole does not move, since this transaction has moved it: it goes into the
-- entry of that move. A setting of the transaction remembers the latest entry of each row, and begins anew when it is full: then the
-- change has an entry of its own.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _by CONSTANT jsonb := CASE WHEN _context ? 'isJob' THEN NULL ELSE _context END;
    _name CONSTANT text := 'entries.' || _type;
    _entries text := coalesce(nullif(current_setting(_name, true), ''), ',');
    _at CONSTANT integer := CASE WHEN _action = 'part' THEN strpos(_entries, ',' || _entity_id || '/') ELSE 0 END;
    _place text;
BEGIN
    IF _at > 0 THEN
        _place := split_part(substr(_entries, _at + 1), ',', 1);
        UPDATE "journal_entries" SET "fields" = ARRAY(SELECT DISTINCT unnest("fields" || _fields))
         WHERE "company_id" = _company_id
           AND "transaction" = split_part(_place, '/', 2)::bigint AND "id" = split_part(_place, '/', 3)::bigint;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "place", "request_id", "actor_kind",
         "actor_id", "trace_parent")
    VALUES (
        _company_id,
        greatest(pg_current_xact_id()::text::bigint, nullif(current_setting('journal.place', true), '')::bigint),
        date_trunc('milliseconds', clock_timestamp()), _type,
        CASE WHEN _action = 'create' THEN 'created' WHEN _action = 'delete' THEN 'deleted' WHEN _action = 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context -> 'place', _by ->> 'requestId', _by ->> 'actorKind',
        coalesce(_by ->> 'adminId', _by ->> 'clientId', _by ->> 'apiKeyId')::integer,
        _context ->> 'traceParent')
    RETURNING concat_ws('/', "entity_id", "transaction", "id") INTO _place;
    IF _action IN ('update', 'part') THEN
        PERFORM set_config(_name, ',' || _place || CASE WHEN length(_entries) < 60000 THEN _entries ELSE ',' END, true);
    END IF;
    IF current_setting('journal.company', true) IS DISTINCT FROM _company_id::text THEN
        PERFORM set_config('journal.company', _company_id::text, true);
        RAISE INFO 'entries of the journal' USING ERRCODE = 'UT002', DETAIL = _company_id::text;
    END IF;
END
$$;
