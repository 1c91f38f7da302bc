-- Writes what reports need of a new use. The subtotal of an order that has its total alone is that without the delivery.
-- Whoever writes the first use of a client holds a lock of that client until the end. Nobody waits for it: a use that is written
-- meanwhile has a rival, and reports find out which of them was the first.
-- The order is read by a statement of its own: to insert from a join takes twice as long for each use.
CREATE OR REPLACE FUNCTION "note_coupon_use"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_new boolean := NEW."client_id" IS NOT NULL AND NOT EXISTS (
        SELECT FROM "coupon_use_facts" f
         WHERE f."company_id" = NEW."company_id" AND f."client_id" = NEW."client_id" AND f."is_new");
    has_rival boolean := false;
    branch integer;
    currency text;
    subtotal bigint;
BEGIN
    IF is_new THEN
        has_rival := NOT pg_try_advisory_xact_lock(
            hashtextextended('coupon_use_facts:' || NEW."company_id" || ':' || NEW."client_id", 0));
        -- Whoever held the lock before may have committed since the look above.
        is_new := NOT EXISTS (
            SELECT FROM "coupon_use_facts" f
             WHERE f."company_id" = NEW."company_id" AND f."client_id" = NEW."client_id" AND f."is_new");
    END IF;
    SELECT o."branch_id", o."currency_iso",
           CASE WHEN o."subtotal_e2" = 0 AND o."total_e2" > o."delivery_e2" THEN o."total_e2" - o."delivery_e2" ELSE o."subtotal_e2" END
      INTO branch, currency, subtotal
      FROM "orders" o WHERE o."company_id" = NEW."company_id" AND o."id" = NEW."order_id";
    INSERT INTO "coupon_use_facts"
        ("company_id", "coupon_id", "use_id", "client_id", "order_id", "branch_id", "currency_iso", "subtotal_e2", "amount_e2",
         "company_amount_e2", "is_new", "has_rival", "created_at", "returned_at")
    VALUES (NEW."company_id", NEW."coupon_id", NEW."id", NEW."client_id", NEW."order_id", branch, currency, coalesce(subtotal, 0),
            NEW."amount_e2", NEW."company_amount_e2", is_new, is_new AND has_rival, NEW."created_at", NEW."returned_at");
    -- The use may be in sums that are kept already: see kept-use-sums.service.ts.
    IF NEW."created_at" < clock_timestamp() - interval '30 minutes' THEN
        INSERT INTO "coupon_use_changes" ("company_id", "kind", "coupon_id", "used_at")
        VALUES (NEW."company_id", 'reported', NEW."coupon_id", NEW."created_at");
    END IF;
    RETURN NULL;
END
$$;
