-- AlterTable
ALTER TABLE "audit_erasures" ADD COLUMN     "erased_by" BIGINT;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "snapshot" TEXT;

-- Takes what was known of a person out of the entries of the audit trail: the values of the columns with the mark "@personal" in
-- entries of its rows, those that are gone long since too, and from where it has signed in. Nothing else of an entry changes, see
-- "keep_audit_values", and only entries of somebody whose row says that it is erased. It writes as its owner: the service has no right
-- to change entries by itself. While it changes some, "audit_erasures" names its transaction.
CREATE OR REPLACE FUNCTION "erase_client_from_trail"(_company_id integer, _id integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _erased_by bigint := CASE WHEN "is_distributed"() THEN NULL ELSE pg_current_xact_id()::text::bigint END;
BEGIN
    PERFORM FROM "clients" WHERE "company_id" = _company_id AND "id" = _id AND "erased_at" IS NOT NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the trail keeps what it has of a client that is not erased' USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO "audit_erasures" ("company_id", "kind", "subject_id", "transaction", "erased_by")
    VALUES (_company_id, 'client', _id, pg_current_xact_id()::text::bigint, _erased_by)
    ON CONFLICT ("company_id", "kind", "subject_id")
    DO UPDATE SET "erased_at" = EXCLUDED."erased_at", "transaction" = EXCLUDED."transaction",
                  "erased_by" = EXCLUDED."erased_by";
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
