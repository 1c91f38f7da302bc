ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_action_check;

-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "is_new_device" BOOLEAN NOT NULL DEFAULT false;

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
        CASE TG_OP WHEN 'INSERT' THEN 'sign_in' ELSE 'session_end' END,
        'admin', NEW."subject_id",
        CASE WHEN _is_new_device THEN jsonb_build_object('devices', jsonb_build_array(NULL, NEW."device")) ELSE '{}' END,
        NEW."address", NEW."device");
    IF _is_new_device THEN
        PERFORM "note_change"(NEW."company_id", 'Admin', 'update', NEW."subject_id", '{devices}', _context);
    END IF;
    RETURN NULL;
END
$$;

-- Moves the versions of "admins" whose parts in "second_factors" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_admins_of_second_factors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."confirmed_at" IS NOT DISTINCT FROM NEW."confirmed_at" THEN RETURN NULL; END IF;
    UPDATE "admins" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Admin', 'update', "id", '{second_factor}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "admins"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Writes to the trail and the journal of each admin with an e-mail that its attempts to sign in are used up, once in their window.
-- Nobody acts: whoever has tried is a stranger. It moves no version, since nothing of the admin's row has changed. It writes as its
-- owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_lock_out"(
    _email text, _resets_at timestamptz, _operation text, _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _company_id integer;
    _admin_id integer;
BEGIN
    /* all companies */
    -- A right password takes an attempt back, so that the limit may be passed more than once in a window.
    INSERT INTO "rate_limits" AS r ("bucket", "count", "resets_at") VALUES ('login:lock-out:' || lower(_email), 1, _resets_at)
    ON CONFLICT ("bucket") DO UPDATE SET "resets_at" = EXCLUDED."resets_at" WHERE r."resets_at" < EXCLUDED."resets_at";
    IF NOT FOUND THEN
        RETURN;
    END IF;
    FOR _company_id, _admin_id IN
        SELECT a."company_id", a."id"
          FROM "admins" AS a
          JOIN "companies" AS c ON c."id" = a."company_id" AND c."deleted_at" IS NULL
         WHERE lower(a."email") = lower(_email) AND a."deleted_at" IS NULL AND a."suspended_at" IS NULL AND a."password_hash" IS NOT NULL
    LOOP
        INSERT INTO "audit_entries"
            ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
        VALUES (_company_id, _operation, _request_id, 'lock_out', 'admin', _admin_id, '{}', _address, _device);
        PERFORM "note_change"(
            _company_id, 'Admin', 'update', _admin_id, '{lock_out}', jsonb_build_object('requestId', _request_id));
    END LOOP;
END
$$;

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'restore'::text, 'sign_in'::text, 'sign_in_refused'::text, 'lock_out'::text, 'session_end'::text, 'export'::text, 'import'::text, 'erase'::text]))) NOT VALID;

CREATE TRIGGER second_factors_changes_admins AFTER UPDATE ON public.second_factors FOR EACH ROW EXECUTE FUNCTION move_admins_of_second_factors();

CREATE TRIGGER second_factors_moves_admins AFTER INSERT OR DELETE ON public.second_factors FOR EACH ROW EXECUTE FUNCTION move_admins_of_second_factors();
