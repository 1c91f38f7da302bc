-- Removes the holds of a coupon that expired until `_at`. It locks the coupon's row first, like all functions that
-- change holds.
CREATE OR REPLACE FUNCTION "purge_coupon_holds"(_company integer, _coupon integer, _at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds" WHERE "company_id" = _company AND "coupon_id" = _coupon AND "expires_at" <= _at;
END
$$;
