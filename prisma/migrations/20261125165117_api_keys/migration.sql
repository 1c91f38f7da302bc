ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_actor_kind_check;

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "api_key_id" INTEGER;

-- CreateTable
CREATE TABLE "api_keys" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "previous_hash" TEXT,
    "previous_ends_at" TIMESTAMPTZ(3),
    "roles" TEXT[],
    "networks" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "made_by_id" INTEGER,
    "made_by_key_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "shares_second" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "api_key_uses" (
    "company_id" INTEGER NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_uses_pkey" PRIMARY KEY ("company_id","api_key_id")
);

-- CreateIndex
CREATE INDEX "api_keys_company_id_name_id_idx" ON "api_keys"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "api_keys_company_id_created_at_id_idx" ON "api_keys"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_keys_company_id_made_by_id_idx" ON "api_keys"("company_id", "made_by_id");

-- CreateIndex
CREATE INDEX "api_keys_company_id_made_by_key_id_idx" ON "api_keys"("company_id", "made_by_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_company_id_key_hash_key" ON "api_keys"("company_id", "key_hash");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_made_by_id_fkey" FOREIGN KEY ("company_id", "made_by_id") REFERENCES "admins"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_made_by_key_id_fkey" FOREIGN KEY ("company_id", "made_by_key_id") REFERENCES "api_keys"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_company_id_api_key_id_fkey" FOREIGN KEY ("company_id", "api_key_id") REFERENCES "api_keys"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

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
         "action", "target_type", "target_id", "target_key", "changes")
    SELECT (n."row" ->> 'company_id')::integer,
           _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
           (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
           'create', TG_ARGV[0],
           CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
           CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
           CASE WHEN octet_length(v."changes"::text) > 64000 THEN "audit_bounded"(v."changes") ELSE v."changes" END
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
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    _changes := coalesce(_changes, '{}');
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"(
            _company_id, TG_ARGV[3], _action, (_row ->> 'id')::bigint,
            CASE _action
                WHEN 'update' THEN ARRAY(SELECT DISTINCT split_part(key, '.', 1) FROM jsonb_object_keys(_changes) AS key)
                ELSE '{}'
            END,
            _context);
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
         "action", "target_type", "target_id", "target_key", "changes")
    VALUES (
        _company_id,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        _action,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        (SELECT jsonb_object_agg(name, _row -> name) FROM unnest(_key) AS name),
        _changes);
    RETURN NULL;
END
$$;

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
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (
        NEW."company_id",
        coalesce(_context ->> 'operation', 'refreshToken'), coalesce(_context ->> 'requestId', 'unknown'),
        coalesce(_context ->> 'actorKind', 'admin'),
        CASE WHEN _context ->> 'actorKind' IS NULL THEN NEW."subject_id" ELSE (_context ->> 'adminId')::integer END,
        (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        CASE TG_OP WHEN 'INSERT' THEN 'sign_in' ELSE 'session_end' END,
        'admin', NEW."subject_id", '{}', NEW."address", NEW."device");
    RETURN NULL;
END
$$;

-- Says what a key for machines holds now: those of its roles that whoever made it holds, up to the admin or the platform at the
-- beginning. No roles at all (null) for a key that is revoked or has expired, or whose maker is, is suspended or deleted. An admin
-- who has yet to enrol the second factor that its type requires holds nothing.
CREATE OR REPLACE FUNCTION "held_by_key"(_company_id integer, _id integer, OUT "roles" text[], OUT "most_posted_e2" bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _key "api_keys";
    _admin "admins";
    _type "admin_types";
    _held text[];
BEGIN
    LOOP
        SELECT * INTO _key FROM "api_keys" WHERE "company_id" = _company_id AND "id" = coalesce(_key."made_by_key_id", _id);
        IF NOT FOUND OR _key."revoked_at" IS NOT NULL OR _key."expires_at" <= now() THEN
            RETURN;
        END IF;
        _held := CASE WHEN _held IS NULL THEN _key."roles"
                      ELSE ARRAY(SELECT r FROM unnest(_held) AS r WHERE r = ANY (_key."roles")) END;
        EXIT WHEN _key."made_by_key_id" IS NULL;
    END LOOP;
    IF _key."made_by_id" IS NOT NULL THEN
        SELECT * INTO _admin FROM "admins"
         WHERE "company_id" = _company_id AND "id" = _key."made_by_id" AND "deleted_at" IS NULL AND "suspended_at" IS NULL;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        SELECT * INTO _type FROM "admin_types" WHERE "company_id" = _company_id AND "id" = _admin."admin_type_id";
        IF _type."requires_second_factor" AND NOT EXISTS (
            SELECT FROM "second_factors"
             WHERE "company_id" = _company_id AND "admin_id" = _admin."id" AND "confirmed_at" IS NOT NULL) THEN
            _held := '{}';
        ELSIF NOT (_admin."is_owner" OR _admin."is_full_admin") THEN
            _held := ARRAY(
                SELECT r FROM unnest(_held) AS r
                 WHERE EXISTS (SELECT FROM "admin_type_roles" AS t
                                WHERE t."company_id" = _company_id AND t."admin_type_id" = _admin."admin_type_id" AND t."role" = r));
            "most_posted_e2" := _type."most_posted_e2";
        END IF;
    END IF;
    "roles" := _held;
END
$$;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "request_id", "actor_kind", "actor_id")
    VALUES (
        _company_id, pg_current_xact_id()::text::bigint, date_trunc('milliseconds', clock_timestamp()), _type,
        CASE _action WHEN 'create' THEN 'created' WHEN 'delete' THEN 'deleted' WHEN 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context ->> 'requestId', _context ->> 'actorKind',
        coalesce(_context ->> 'adminId', _context ->> 'clientId', _context ->> 'apiKeyId')::integer);
END
$$;

ALTER TABLE api_keys ADD CONSTRAINT api_keys_made_by_key_check CHECK ((made_by_key_id < id));

ALTER TABLE api_keys ADD CONSTRAINT api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64)));

ALTER TABLE api_keys ADD CONSTRAINT api_keys_previous_check CHECK (((previous_hash IS NULL) = (previous_ends_at IS NULL)));

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_key_check CHECK (((api_key_id IS NOT NULL) = (COALESCE(actor_kind, ''::text) = 'key'::text))) NOT VALID;

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['admin'::text, 'client'::text, 'platform'::text, 'key'::text]))) NOT VALID;

CREATE TRIGGER api_keys_audit AFTER INSERT OR DELETE OR UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION audit_row('api_key', '{key_hash,previous_hash}', '{}', 'ApiKey');

CREATE TRIGGER api_keys_version BEFORE UPDATE OF updated_at, version ON public.api_keys FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE STATISTICS public.api_keys_name_folded ON folded(name) FROM api_keys;
ALTER STATISTICS api_keys_name_folded SET STATISTICS 200;

CREATE UNIQUE INDEX api_keys_company_id_previous_hash_key ON public.api_keys USING btree (company_id, previous_hash) WHERE (previous_hash IS NOT NULL);

CREATE INDEX api_keys_filters_idx ON public.api_keys USING gin (company_id, folded(name) gin_trgm_ops);
