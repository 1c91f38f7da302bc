-- Writes an entry of the audit trail for a login of an admin that begins or ends, whichever operation ends it. Who acts stands in
-- the setting "audit.context" of the transaction; without an actor it is the admin. A login that ends by a token which came a
-- second time has no context. One that begins on a device that is not known is a change of the admin's devices, in the journal, too. It
-- moves no version, since nothing of the admin's row has changed. It writes as its owner: the service needs no right to write
-- entries by itself.
CREATE OR REPLACE FUNCTION "audit_session"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _is_new_device boolean := TG_OP = 'INSERT' AND NEW."is_new_device";
BEGIN
    IF TG_OP = 'INSERT' AND EXISTS (
        SELECT FROM "refresh_tokens" WHERE "company_id" = NEW."company_id" AND "family_id" = NEW."family_id" AND "id" <> NEW."id") THEN
        RETURN NULL;
    END IF;
    IF _context ->> 'actorKind' IS NULL THEN
        _context := coalesce(_context, '{}') || jsonb_build_object('actorKind', 'admin', 'adminId', NEW."subject_id");
    END IF;
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (
        NEW."company_id",
        coalesce(_context ->> 'operation', 'refreshToken'), coalesce(_context ->> 'requestId', 'unknown'), _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        CASE WHEN TG_OP = 'INSERT' THEN 'sign_in' ELSE 'session_end' END,
        'admin', NEW."subject_id",
        CASE WHEN _is_new_device THEN jsonb_build_object('devices', jsonb_build_array(NULL, NEW."device")) ELSE '{}' END,
        NEW."address", NEW."device");
    IF _is_new_device THEN
        PERFORM "note_change"(NEW."company_id", 'Admin', 'update', NEW."subject_id", '{devices}', _context);
    END IF;
    RETURN NULL;
END
$$;
