-- Gives back the use that an order holds; without a code that of any code. Returns the hold as it was, or nothing. What is
-- read of the order's coupons is of one version of the order, so this makes a new one. The order is locked first, then the
-- coupon (see "use_coupon").
CREATE OR REPLACE FUNCTION "release_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
RETURNS SETOF "coupon_holds" LANGUAGE plpgsql AS $$
DECLARE
    own "coupon_holds";
BEGIN
    UPDATE "orders" SET "coupon_version" = "coupon_version" + 1 WHERE "company_id" = _company AND "id" = _order;
    PERFORM "lock_room_of_coupons"(_company, ARRAY[_coupon], true);
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds"
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
       AND "expires_at" > _at AND (_code IS NULL OR "code" = _code)
    RETURNING * INTO own;
    IF FOUND THEN RETURN NEXT own; END IF;
END
$$;
