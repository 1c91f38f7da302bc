DROP TRIGGER audit_entries_not_changed ON audit_entries;

ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_action_check;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "audit_erasures" (
    "company_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "transaction" BIGINT,

    CONSTRAINT "audit_erasures_pkey" PRIMARY KEY ("company_id","kind","subject_id")
);

-- CreateIndex
CREATE INDEX "audit_erasures_company_id_erased_at_idx" ON "audit_erasures"("company_id", "erased_at");

-- CreateIndex
CREATE INDEX "audit_erasures_erased_at_idx" ON "audit_erasures"("erased_at");

-- AddForeignKey
ALTER TABLE "audit_erasures" ADD CONSTRAINT "audit_erasures_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Returns the changes of an entry of the audit trail without the values of some columns, and of keys within these: that they changed
-- stays.
CREATE OR REPLACE FUNCTION "audit_without"(_changes jsonb, _columns text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(
               key, CASE WHEN split_part(key, '.', 1) = ANY (_columns) THEN '[null, null]' ELSE value END), '{}')
      FROM jsonb_each(_changes)
$$;

-- Takes what was known of a person out of the entries of the audit trail: the values of the columns with the mark "@personal" in
-- entries of its rows, those that are gone long since too, and from where it has signed in. Nothing else of an entry changes, see
-- "keep_audit_values", and only entries of somebody whose row says that it is erased. It writes as its owner: the service has no right
-- to change entries by itself. While it changes some, "audit_erasures" names its transaction.
CREATE OR REPLACE FUNCTION "erase_client_from_trail"(_company_id integer, _id integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    PERFORM FROM "clients" WHERE "company_id" = _company_id AND "id" = _id AND "erased_at" IS NOT NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the trail keeps what it has of a client that is not erased' USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO "audit_erasures" ("company_id", "kind", "subject_id", "transaction")
    VALUES (_company_id, 'client', _id, pg_current_xact_id()::text::bigint)
    ON CONFLICT ("company_id", "kind", "subject_id")
    DO UPDATE SET "erased_at" = EXCLUDED."erased_at", "transaction" = EXCLUDED."transaction";
    UPDATE "audit_entries" SET "changes" = "audit_without"("changes", '{name,external_id,email,phone}')
     WHERE "company_id" = _company_id AND "target_type" = 'client'
       AND "target_id" = ANY (ARRAY(SELECT _id::bigint))
       AND "changes" <> "audit_without"("changes", '{name,external_id,email,phone}');
    UPDATE "audit_entries" SET "changes" = "audit_without"("changes", '{address,device}')
     WHERE "company_id" = _company_id AND "target_type" = 'refresh_token'
       AND "target_id" = ANY (ARRAY(
           SELECT "id"::bigint FROM "refresh_tokens" WHERE company_id = _company_id AND (("subject_kind" IN ('client', 'Client') AND "subject_id" = _id))
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'refresh_token' AND ((("changes" -> 'subject_kind' @> '"client"' OR "changes" -> 'subject_kind' @> '"Client"') AND "changes" -> 'subject_id' @> to_jsonb(_id)))))
       AND "changes" <> "audit_without"("changes", '{address,device}');
    UPDATE "audit_entries" SET "changes" = "audit_without"("changes", '{notes,extras,snapshot}')
     WHERE "company_id" = _company_id AND "target_type" = 'cart_item'
       AND "target_id" = ANY (ARRAY(
           SELECT "id"::bigint FROM "cart_items" WHERE company_id = _company_id AND (("cart_id") IN (SELECT "id" FROM "carts" WHERE company_id = _company_id AND ("client_id" = _id)))
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'cart_item' AND ((("changes" -> 'cart_id' ->> 0)::bigint = ANY (ARRAY(
           SELECT "id"::bigint FROM "carts" WHERE company_id = _company_id AND ("client_id" = _id)
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'cart' AND (("changes" -> 'client_id' @> to_jsonb(_id))))) OR ("changes" -> 'cart_id' ->> 1)::bigint = ANY (ARRAY(
           SELECT "id"::bigint FROM "carts" WHERE company_id = _company_id AND ("client_id" = _id)
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'cart' AND (("changes" -> 'client_id' @> to_jsonb(_id)))))))))
       AND "changes" <> "audit_without"("changes", '{notes,extras,snapshot}');
    UPDATE "audit_entries" SET "changes" = "audit_without"("changes", '{properties}')
     WHERE "company_id" = _company_id AND "target_type" = 'order_item'
       AND "target_id" = ANY (ARRAY(
           SELECT "id"::bigint FROM "order_items" WHERE company_id = _company_id AND (("order_id") IN (SELECT "id" FROM "orders" WHERE company_id = _company_id AND ("client_id" = _id)))
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'order_item' AND ((("changes" -> 'order_id' ->> 0)::bigint = ANY (ARRAY(
           SELECT "id"::bigint FROM "orders" WHERE company_id = _company_id AND ("client_id" = _id)
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'order' AND (("changes" -> 'client_id' @> to_jsonb(_id))))) OR ("changes" -> 'order_id' ->> 1)::bigint = ANY (ARRAY(
           SELECT "id"::bigint FROM "orders" WHERE company_id = _company_id AND ("client_id" = _id)
            UNION SELECT "target_id" FROM "audit_entries"
            WHERE "company_id" = _company_id AND "target_type" = 'order' AND (("changes" -> 'client_id' @> to_jsonb(_id)))))))))
       AND "changes" <> "audit_without"("changes", '{properties}');
    UPDATE "audit_entries" SET "address" = NULL, "device" = NULL
     WHERE "company_id" = _company_id AND ("address" IS NOT NULL OR "device" IS NOT NULL)
       AND ("client_id" = _id OR "target_type" = 'client' AND "target_id" = _id);
    UPDATE "audit_erasures" SET "transaction" = NULL
     WHERE "company_id" = _company_id AND "kind" = 'client' AND "subject_id" = _id;
END
$$;

-- Refuses to change entries of the audit trail, whoever does, but for values that an erasure takes out: nothing takes their place. That
-- one goes on is known by a row that the owner of the tables alone can write, since a setting could be anybody's.
CREATE OR REPLACE FUNCTION "keep_audit_values"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" AS w
         WHERE NOT EXISTS (
             SELECT FROM "audit_erasures" AS e
              WHERE e."company_id" = w."company_id" AND e."transaction" = pg_current_xact_id()::text::bigint)
            OR NOT EXISTS (
             SELECT FROM "replaced" AS r
              WHERE r."company_id" = w."company_id" AND r."id" = w."id"
                AND to_jsonb(r) - '{changes,address,device}'::text[] = to_jsonb(w) - '{changes,address,device}'::text[]
                AND (w."address" IS NULL OR w."address" = r."address")
                AND (w."device" IS NULL OR w."device" = r."device")
                AND w."changes" = coalesce((
                    SELECT jsonb_object_agg(
                               key, CASE WHEN w."changes" -> key = '[null, null]' THEN '[null, null]' ELSE value END)
                      FROM jsonb_each(r."changes")), '{}'))) THEN
        RAISE EXCEPTION 'entries of the audit trail are never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Writes an entry of the audit trail for what changes no row: that what is kept was taken out of the house or brought in, or that it was
-- erased. Who acts stands in the setting "audit.context" of the transaction, or in the last argument. It writes as its owner: the
-- service needs no right to write entries by itself.
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

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'restore'::text, 'sign_in'::text, 'sign_in_refused'::text, 'session_end'::text, 'export'::text, 'import'::text, 'erase'::text]))) NOT VALID;

CREATE TRIGGER audit_entries_not_changed AFTER UPDATE ON public.audit_entries REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_values();

CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_erasures_not_emptied BEFORE TRUNCATE ON public.audit_erasures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

COMMENT ON INDEX audit_erasures_pkey IS 'key of the rows';
COMMENT ON INDEX audit_erasures_company_id_erased_at_idx IS 'A repeated request asks whether anything was erased since its answer was kept.';
COMMENT ON INDEX audit_erasures_erased_at_idx IS 'The same for the operators of the service, who ask about all companies.';
