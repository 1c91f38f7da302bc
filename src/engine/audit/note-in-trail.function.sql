-- Writes an entry of the audit trail for what changes no row: that what is kept was taken out of the house or brought in, or that it was
-- erased. Who acts stands in the setting "audit.context" of the transaction, or in the last argument. It writes as its owner: the
-- service needs no right to write entries by itself. Call it beside the company's row: in a distributed database the entry then has an id
-- behind those of entries before it.
CREATE OR REPLACE FUNCTION "note_in_trail"(
    _company_id integer, _action text, _target_type text, _target_id bigint, _changes jsonb, _actor jsonb DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context CONSTANT jsonb := coalesce(_actor, nullif(current_setting('audit.context', true), '')::jsonb);
BEGIN
    IF _action NOT IN ('export', 'import', 'erase') THEN
        RAISE EXCEPTION 'an entry for % is written with the change of the row', _action USING ERRCODE = 'restrict_violation';
    END IF;
    IF octet_length(_changes::text) > 64000 THEN
        _changes := "audit_bounded"(_changes);
    END IF;
    INSERT INTO "usage_counts" ("company_id", "name", "day", "amount")
    VALUES (_company_id, 'trail', current_date, octet_length(_changes::text));
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "changes")
    VALUES (
        _company_id,
        coalesce(_context ->> 'operation', 'unknown'), coalesce(_context ->> 'requestId', 'unknown'), _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        _action, _target_type, _target_id, _changes);
END
$$;
