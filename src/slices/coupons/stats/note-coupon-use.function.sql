-- Writes what reports need of a new use. The subtotal of an order that has its total alone is that without the delivery.
CREATE OR REPLACE FUNCTION "note_coupon_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_use_facts"
        ("company_id", "coupon_id", "use_id", "client_id", "order_id", "branch_id", "currency_iso", "subtotal_e2", "amount_e2",
         "company_amount_e2", "is_new", "created_at", "returned_at")
    SELECT NEW."company_id", NEW."coupon_id", NEW."id", NEW."client_id", NEW."order_id", o."branch_id", o."currency_iso",
           CASE WHEN o."subtotal_e2" = 0 AND o."total_e2" > o."delivery_e2" THEN o."total_e2" - o."delivery_e2"
                ELSE coalesce(o."subtotal_e2", 0) END,
           NEW."amount_e2", NEW."company_amount_e2",
           NEW."client_id" IS NOT NULL AND NOT EXISTS (
               SELECT FROM "coupon_redemptions" r
                WHERE r."company_id" = NEW."company_id" AND r."client_id" = NEW."client_id" AND r."id" < NEW."id"
           ), NEW."created_at", NEW."returned_at"
      FROM (SELECT 1) AS one
      LEFT JOIN "orders" o ON o."company_id" = NEW."company_id" AND o."id" = NEW."order_id";
    RETURN NULL;
END
$$;
