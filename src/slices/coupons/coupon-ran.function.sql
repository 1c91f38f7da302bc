-- Returns whether a coupon ran at a moment that is past, by its times. Pauses that are over were judged before, of the same version of
-- the coupon.
CREATE OR REPLACE FUNCTION "coupon_ran"(_coupon "coupons", _at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT _coupon."deleted_at" IS NULL AND coalesce(_coupon."paused_at" > _at, true)
       AND _coupon."status" IN ('ready', 'running', 'finished') AND coalesce(_coupon."starts_at" <= _at, false)
       AND coalesce(_coupon."ends_at" > _at, true)
$$;
