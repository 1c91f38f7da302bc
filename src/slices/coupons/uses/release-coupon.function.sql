-- Gives back the use that an order holds. Returns the hold as it was, or nothing.
CREATE OR REPLACE FUNCTION "release_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
RETURNS SETOF "coupon_holds" LANGUAGE plpgsql AS $$
DECLARE
    own "coupon_holds";
BEGIN
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds"
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
       AND "expires_at" > _at AND "code" IS NOT DISTINCT FROM _code
    RETURNING * INTO own;
    IF FOUND THEN RETURN NEXT own; END IF;
END
$$;
