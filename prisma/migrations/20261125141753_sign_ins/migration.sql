ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_action_check;

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "address" TEXT,
ADD COLUMN     "device" TEXT;

-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "address" TEXT,
ADD COLUMN     "device" TEXT;

-- Writes an entry of the audit trail for a login of an admin that begins or ends, whichever operation ends it. Who acts stands in
-- the setting "audit.context" of the transaction; without an actor it is the admin. A login that ends by a token which came a
-- second time has no context. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_session"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
BEGIN
    IF TG_OP = 'INSERT' AND EXISTS (
        SELECT FROM "refresh_tokens" WHERE "company_id" = NEW."company_id" AND "family_id" = NEW."family_id" AND "id" <> NEW."id") THEN
        RETURN NULL;
    END IF;
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (
        NEW."company_id",
        coalesce(_context ->> 'operation', 'refreshToken'), coalesce(_context ->> 'requestId', 'unknown'),
        coalesce(_context ->> 'actorKind', 'admin'),
        CASE WHEN _context ->> 'actorKind' IS NULL THEN NEW."subject_id" ELSE (_context ->> 'adminId')::integer END,
        (_context ->> 'clientId')::integer,
        CASE TG_OP WHEN 'INSERT' THEN 'sign_in' ELSE 'session_end' END,
        'admin', NEW."subject_id", '{}', NEW."address", NEW."device");
    RETURN NULL;
END
$$;

-- Writes an entry of the audit trail for each admin as whom somebody was refused to sign in: the companies and the admins stand in
-- lists of the same order. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_refused_sign_ins"(
    _company_ids integer[], _admin_ids integer[], _request_id text, _address text, _device text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
    SELECT company_id, 'login', _request_id, 'sign_in_refused', 'admin', admin_id, '{}', _address, _device
      FROM unnest(_company_ids, _admin_ids) AS refused (company_id, admin_id)
$$;

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'restore'::text, 'sign_in'::text, 'sign_in_refused'::text, 'session_end'::text]))) NOT VALID;

CREATE TRIGGER refresh_tokens_session_end AFTER UPDATE OF revoked_at ON public.refresh_tokens FOR EACH ROW WHEN (((new.subject_kind = 'admin'::text) AND (old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL) AND (new.replaced_by_id IS NULL))) EXECUTE FUNCTION audit_session();

CREATE TRIGGER refresh_tokens_sign_in AFTER INSERT ON public.refresh_tokens FOR EACH ROW WHEN (((new.subject_kind = 'admin'::text) AND (current_setting('audit.context'::text, true) <> ''::text))) EXECUTE FUNCTION audit_session();
