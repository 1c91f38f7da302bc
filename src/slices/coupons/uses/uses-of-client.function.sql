-- How many uses of a coupon count in the limit of a client: uses since `_since`, all of them when that is NULL, that were not
-- given back, and holds that have not expired; those of one order are left out. The use of a gift card has no order. Under the
-- lock of the coupon it is exact.
CREATE OR REPLACE FUNCTION "uses_of_client"(
    _company integer, _coupon integer, _client integer, _order integer, _since timestamptz, _at timestamptz
) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "returned_at" IS NULL
           AND (_order IS NULL OR "order_id" IS DISTINCT FROM _order) AND "created_at" >= coalesce(_since, '-infinity')
    ) + (
        SELECT count(*) FROM "coupon_holds"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "expires_at" > _at
           AND (_order IS NULL OR "order_id" <> _order)
    );
END
$$;
