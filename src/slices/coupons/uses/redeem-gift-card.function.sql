-- Turns a gift card's code into balance, once. Returns the outcome `redeemed` with the holder's balance after it,
-- `changed`, `full` when the balance cannot hold it, `reused` when the identity of the request came with another posting, or
-- the reason why the card does not apply. The use names the movement, which is about the card.
--   _limit_since  since when uses count in the limit of each client; NULL: all do.
CREATE OR REPLACE FUNCTION "redeem_gift_card"(
    _company integer, _coupon integer, _code_id bigint, _code text, _client integer,
    _holder_type text, _holder_key integer, _currency text, _author integer, _at timestamptz, _seen timestamptz,
    _identity bytea DEFAULT NULL, _request text DEFAULT NULL, _actor text DEFAULT NULL,
    _limit_since timestamptz DEFAULT NULL,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT balance_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    uses_per_client bigint;
    posted text;
    posted_id bigint;
BEGIN
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen THEN outcome := 'changed'; RETURN; END IF;
    IF NOT "coupon_runs"(coupon, _at) THEN outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;
    IF coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN outcome := 'COUPON_EXHAUSTED'; RETURN; END IF;
    IF NOT EXISTS (
        SELECT FROM "coupon_codes"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL AND "voided_at" IS NULL
    ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
    uses_per_client := (coupon."config" ->> 'limit')::bigint;
    IF uses_per_client IS NOT NULL AND _client IS NOT NULL
       AND uses_per_client <= "uses_of_client"(_company, _coupon, _client, NULL, _limit_since, _at)
    THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    given_e2 := coupon."price_e2";
    IF given_e2 > 9223372036854775807 - coupon."spent_amount_e2" THEN outcome := 'full'; RETURN; END IF;

    SELECT p."outcome", (p."movement")."final_balance_e2", (p."movement")."id"
      INTO posted, redeem_gift_card.balance_e2, posted_id
      FROM "post_movements"(_company, ARRAY[_holder_type], ARRAY[_holder_key], ARRAY[_currency], ARRAY[given_e2],
                            ARRAY['gift_card'], ARRAY[NULL::bigint], coupon."name", _author, 'coupon', _coupon,
                            _identity, _at, 'gift_cards', _request, _actor) AS p LIMIT 1;
    IF posted <> 'posted' THEN outcome := posted; RETURN; END IF;
    UPDATE "coupon_codes" SET "used_at" = _at WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id;
    UPDATE "coupons" SET "spent_count" = "spent_count" + 1, "spent_amount_e2" = "spent_amount_e2" + given_e2
     WHERE "company_id" = _company AND "id" = _coupon;
    INSERT INTO "coupon_redemptions" ("company_id", "coupon_id", "code", "client_id", "amount_e2", "movement_id", "created_at")
    VALUES (_company, _coupon, _code, _client, given_e2, posted_id, _at)
    RETURNING "id" INTO use_id;
    outcome := 'redeemed';
END
$$;
