-- Gives back all uses and holds of an order that is canceled; the order is locked already.
CREATE OR REPLACE FUNCTION "return_uses_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    taken record;
BEGIN
    PERFORM "lock_room_of_coupons"(NEW."company_id", ARRAY(
        SELECT "coupon_id" FROM "coupon_redemptions"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id" AND "returned_at" IS NULL
        UNION ALL
        SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id"
    ), true);
    FOR taken IN
        SELECT "coupon_id", "code", true AS "is_use" FROM "coupon_redemptions"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id" AND "returned_at" IS NULL
        UNION ALL
        SELECT "coupon_id", "code", false FROM "coupon_holds"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id"
         ORDER BY "coupon_id"
    LOOP
        IF taken."is_use" THEN
            PERFORM "return_coupon"(NEW."company_id", taken."coupon_id", NEW."id", taken."code", date_trunc('milliseconds', now()));
        ELSE
            PERFORM "release_coupon"(NEW."company_id", taken."coupon_id", NEW."id", taken."code", '-infinity');
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
