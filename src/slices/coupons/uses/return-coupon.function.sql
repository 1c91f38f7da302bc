-- Gives back the use that an order made of a coupon: counters, budget, the client's limit and the code are as before it.
-- Without a code it is the use of any code. Returns the use, the latest one that was given back when there is no other, or
-- nothing. The order is locked first, then the coupon (see "use_coupon").
CREATE OR REPLACE FUNCTION "return_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
RETURNS SETOF "coupon_redemptions" LANGUAGE plpgsql AS $$
DECLARE
    own "coupon_redemptions";
BEGIN
    UPDATE "orders" SET "coupon_version" = "coupon_version" + 1 WHERE "company_id" = _company AND "id" = _order;
    PERFORM "lock_room_of_coupons"(_company, ARRAY[_coupon], true);
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    UPDATE "coupon_redemptions" SET "returned_at" = greatest(_at, "created_at")
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order AND "returned_at" IS NULL
       AND (_code IS NULL OR "code" = _code)
    RETURNING * INTO own;
    IF NOT FOUND THEN
        RETURN QUERY SELECT * FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
           AND "returned_at" IS NOT NULL AND (_code IS NULL OR "code" = _code)
         ORDER BY "returned_at" DESC, "id" DESC LIMIT 1;
        RETURN;
    END IF;
    -- A wish that was met is met no more.
    UPDATE "orders" SET "coupon_wishes" = '{}'
     WHERE "company_id" = _company AND "id" = _order AND "coupon_wishes" <> '{}';
    UPDATE "coupons" SET "spent_count" = "spent_count" - 1, "spent_amount_e2" = "spent_amount_e2" - own."amount_e2"
     WHERE "company_id" = _company AND "id" = _coupon;
    UPDATE "coupon_codes" SET "used_at" = NULL
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "code" = own."code" AND "used_at" IS NOT NULL;
    RETURN NEXT own;
END
$$;
