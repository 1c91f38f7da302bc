-- What is left of a campaign's budget after the uses of all its coupons and the holds that have not expired, deleted coupons
-- included, in hundredths; below 0 where the budget was lowered, NULL without a budget. Under the lock of the campaign it is exact: what is
-- given back meanwhile can only make it more.
CREATE OR REPLACE FUNCTION "campaign_room"(_company integer, _campaign integer, _at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    budget bigint;
    taken numeric;
BEGIN
    SELECT "budget_e2" INTO budget FROM "campaigns" WHERE "company_id" = _company AND "id" = _campaign;
    IF budget IS NULL THEN RETURN NULL; END IF;
    SELECT coalesce(sum(c."spent_amount_e2" + CASE WHEN c."held_count" = 0 THEN 0 ELSE c."held_amount_e2" - (
               SELECT coalesce(sum(h."amount_e2"), 0) FROM "coupon_holds" h
                WHERE h."company_id" = _company AND h."coupon_id" = c."id" AND h."expires_at" <= _at
           ) END), 0)
      INTO taken
      FROM "coupons" c WHERE c."company_id" = _company AND c."campaign_id" = _campaign;
    RETURN greatest(budget - taken, -9223372036854775807)::bigint;
END
$$;
