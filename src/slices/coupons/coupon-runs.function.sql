-- Returns whether a coupon runs and is not paused, by its exact times: `status` may lag behind them.
CREATE OR REPLACE FUNCTION "coupon_runs"(_coupon "coupons", _at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT _coupon."deleted_at" IS NULL AND _coupon."paused_at" IS NULL
       AND (_coupon."status" = 'running' OR _coupon."status" = 'ready' AND coalesce(_coupon."starts_at" <= _at, false))
       AND coalesce(_coupon."ends_at" > _at, true)
$$;
