-- Whether any of some coupons has more left for an order and its client than when it was left out for having too little: uses,
-- of all and of the client, or amounts, of its own, of its campaign and of the client. A coupon whose terms changed counts as
-- such. `_left_out` has what was taken of each: `{coupon, seen, uses, amount, room, client_uses, client_amount, since}`.
CREATE OR REPLACE FUNCTION "have_more_room"(_company integer, _order integer, _client integer, _left_out jsonb, _at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM jsonb_to_recordset(_left_out) AS l (
                   "coupon" integer, "seen" timestamptz, "uses" bigint, "amount" bigint, "room" bigint, "client_uses" bigint,
                   "client_amount" bigint, "since" timestamptz)
          JOIN "coupons" c ON c."company_id" = _company AND c."id" = l."coupon"
          LEFT JOIN LATERAL (
              SELECT count(*) AS "uses", coalesce(sum(h."amount_e2"), 0) AS "amount" FROM "coupon_holds" h
               WHERE c."held_count" > 0 AND h."company_id" = _company AND h."coupon_id" = c."id" AND h."expires_at" <= _at
          ) e ON true
         WHERE c."updated_at" <> l."seen" OR c."spent_count" + c."held_count" - e."uses" < l."uses"
            OR c."spent_amount_e2" + c."held_amount_e2" - e."amount" < l."amount"
            OR CASE WHEN l."client_uses" > 0 THEN
                   l."client_uses" > "uses_of_client"(_company, c."id", _client, _order, l."since", _at) END
            OR CASE WHEN l."client_amount" > 0 THEN l."client_amount" > (
                   SELECT coalesce(sum(r."amount_e2"), 0) FROM "coupon_redemptions" r
                    WHERE r."company_id" = _company AND r."coupon_id" = c."id" AND r."client_id" = _client
                      AND r."returned_at" IS NULL AND r."order_id" IS DISTINCT FROM _order
               ) + (
                   SELECT coalesce(sum(h."amount_e2"), 0) FROM "coupon_holds" h
                    WHERE h."company_id" = _company AND h."coupon_id" = c."id" AND h."client_id" = _client
                      AND h."expires_at" > _at AND h."order_id" <> _order
               ) END
    ) OR EXISTS (
        -- What a campaign has left sums up all its coupons: once for each campaign, and not for each of its coupons.
        SELECT FROM (
            SELECT c."campaign_id", min(l."room") AS "room"
              FROM jsonb_to_recordset(_left_out) AS l ("coupon" integer, "room" bigint)
              JOIN "coupons" c ON c."company_id" = _company AND c."id" = l."coupon"
             WHERE l."room" IS NOT NULL AND c."campaign_id" IS NOT NULL
             GROUP BY c."campaign_id"
        ) p WHERE "campaign_room"(_company, p."campaign_id", _at) > p."room"
    );
END
$$;
