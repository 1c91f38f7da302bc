-- Uses a coupon for an order, or holds a use of it until `_hold_until`.
--   _seen  `updated_at` of the coupon when its rules were judged: a coupon that changed since is judged anew.
--   _held  whether the rules were judged for an order that holds the use already.
--   _order_seen  `xmin` of the order when its uses were judged: an order that changed since is judged anew. NULL when the
--          caller has locked the order.
--   _limit_since  since when uses count in the limit of each client; NULL: all do.
--   _ran_at  when the coupon has to have run, for a purchase that is reported later; NULL: at `_at`.
--   _items  what each item of the purchase gets of the discount.
-- Returns the outcome `used`, `held` or `changed`, or the reason why the coupon does not apply.
--
-- The use is decided here, under the lock of the coupon's row, so that no limit is passed, however many ask at
-- once. All functions take their locks in one order: order, room (see "lock_room_of_coupons"), campaign, coupon,
-- code, hold, balance holder.
-- Most uses are of coupons that limit nothing but their total: such a use takes one statement. All others are
-- decided step by step, and so is every reason against a use.
CREATE OR REPLACE FUNCTION "use_coupon"(
    _company integer, _coupon integer, _order integer, _client integer, _code_id bigint, _code text,
    _amount bigint, _company_amount bigint, _at timestamptz, _hold_until timestamptz, _seen timestamptz, _held boolean,
    _order_seen xid, _items jsonb, _delivery bigint DEFAULT NULL, _limit_since timestamptz DEFAULT NULL,
    _ran_at timestamptz DEFAULT NULL,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT given_by_company_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    own "coupon_holds";
    is_kept boolean;
    is_single boolean;
    uses_per_client bigint;
    client_limit bigint;
    room bigint;
BEGIN
    given_e2 := _amount;
    given_by_company_e2 := _company_amount;

    -- Its uses together are judged by the order's version, so each use makes a new one. The order is locked first.
    IF _order_seen IS NOT NULL THEN
        UPDATE "orders" SET "coupon_version" = "coupon_version" + 1
         WHERE "company_id" = _company AND "id" = _order AND "xmin" = _order_seen;
        IF NOT FOUND THEN outcome := 'changed'; RETURN; END IF;
    END IF;

    IF _hold_until IS NULL AND NOT _held AND _ran_at IS NULL THEN
        WITH "taken" AS (
            UPDATE "coupons" AS c
               SET "spent_count" = c."spent_count" + 1, "spent_amount_e2" = c."spent_amount_e2" + _amount
             WHERE c."company_id" = _company AND c."id" = _coupon AND c."updated_at" = _seen
               AND c."type" IN ('batch', 'promo') AND c."held_count" = 0 AND c."spent_count" < c."total_count"
               AND c."status" = 'running' AND (c."ends_at" IS NULL OR c."ends_at" > _at) AND c."deleted_at" IS NULL
               AND c."campaign_id" IS NULL AND c."config" ->> 'limit' IS NULL AND c."config" ->> 'amountLimitE2' IS NULL
               AND c."config" ->> 'clientAmountLimitE2' IS NULL
               AND _amount <= 9223372036854775807 - c."spent_amount_e2"
            RETURNING c."company_id", c."id"
        )
        INSERT INTO "coupon_redemptions"
            ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "items",
             "delivery_e2", "created_at")
        SELECT "company_id", "id", _code, _client, _order, _amount, _company_amount, _items, _delivery, _at FROM "taken"
        RETURNING "id" INTO use_id;
        IF use_id IS NOT NULL THEN outcome := 'used'; RETURN; END IF;
    END IF;

    -- A hold that is renewed may be of less than before.
    IF _hold_until IS NOT NULL THEN PERFORM "lock_room_of_coupons"(_company, ARRAY[_coupon], true); END IF;
    PERFORM "lock_campaigns"(_company, ARRAY[_coupon]);
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen OR EXISTS (
        SELECT FROM "coupon_redemptions" WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
           AND "returned_at" IS NULL
    ) THEN outcome := 'changed'; RETURN; END IF;

    IF coupon."held_count" > 0 THEN
        PERFORM "purge_coupon_holds"(_company, _coupon, _at);
        SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon;
        SELECT * INTO own FROM "coupon_holds"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order;
    END IF;
    is_kept := own."id" IS NOT NULL AND own."code" IS NOT DISTINCT FROM _code AND own."client_id" IS NOT DISTINCT FROM _client;
    IF _held AND NOT is_kept THEN outcome := 'changed'; RETURN; END IF;
    IF (_ran_at IS NULL AND NOT "coupon_runs"(coupon, _at)) OR (_ran_at IS NOT NULL AND NOT "coupon_ran"(coupon, _ran_at)) THEN
        outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;

    is_single := coupon."type" IN ('personal', 'gift_card');
    IF NOT is_kept THEN
        IF own."id" IS NULL AND coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN
            outcome := 'COUPON_EXHAUSTED'; RETURN;
        END IF;
        IF is_single AND (
            NOT EXISTS (
                SELECT FROM "coupon_codes"
                 WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL AND "voided_at" IS NULL
            ) OR EXISTS (
                SELECT FROM "coupon_holds"
                 WHERE "company_id" = _company AND "coupon_id" = _coupon AND "code" = _code AND "order_id" <> _order
            )
        ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
        uses_per_client := (coupon."config" ->> 'limit')::bigint;
        IF uses_per_client IS NOT NULL AND (
            _client IS NULL OR uses_per_client <= "uses_of_client"(_company, _coupon, _client, _order, _limit_since, _at)
        ) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    END IF;

    -- Without a limit of its own it may give what a sum can hold.
    room := coalesce((coupon."config" ->> 'amountLimitE2')::bigint, 9223372036854775807)
        - coupon."spent_amount_e2" - coupon."held_amount_e2" + coalesce(own."amount_e2", 0);
    IF coupon."campaign_id" IS NOT NULL THEN
        room := least(room, "campaign_room"(_company, coupon."campaign_id", _at) + coalesce(own."amount_e2", 0));
    END IF;
    client_limit := (coupon."config" ->> 'clientAmountLimitE2')::bigint;
    IF client_limit IS NOT NULL THEN
        room := CASE WHEN _client IS NULL THEN -1 ELSE least(room, client_limit - (
            SELECT coalesce(sum("amount_e2"), 0) FROM "coupon_redemptions"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "returned_at" IS NULL
        ) - (
            SELECT coalesce(sum("amount_e2"), 0) FROM "coupon_holds"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "order_id" <> _order
        )) END;
    END IF;
    IF given_e2 > room AND is_kept THEN
        given_e2 := own."amount_e2";
        given_by_company_e2 := own."company_amount_e2";
        _items := own."items";
        _delivery := own."delivery_e2";
    ELSIF given_e2 > room THEN
        outcome := 'COUPON_AMOUNT_LIMIT'; RETURN;
    END IF;

    IF _hold_until IS NOT NULL THEN
        INSERT INTO "coupon_holds"
            ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "items",
             "delivery_e2", "expires_at", "created_at")
        VALUES (_company, _coupon, _code, _client, _order, given_e2, given_by_company_e2, _items, _delivery, _hold_until, _at)
        ON CONFLICT ("company_id", "coupon_id", "order_id") DO UPDATE
            SET "code" = EXCLUDED."code", "client_id" = EXCLUDED."client_id", "amount_e2" = EXCLUDED."amount_e2",
                "company_amount_e2" = EXCLUDED."company_amount_e2", "items" = EXCLUDED."items",
                "delivery_e2" = EXCLUDED."delivery_e2", "expires_at" = EXCLUDED."expires_at"
        RETURNING "id" INTO use_id;
        UPDATE "coupons"
           SET "held_count" = "held_count" + CASE WHEN own."id" IS NULL THEN 1 ELSE 0 END,
               "held_amount_e2" = "held_amount_e2" + given_e2 - coalesce(own."amount_e2", 0)
         WHERE "company_id" = _company AND "id" = _coupon;
        outcome := 'held';
        RETURN;
    END IF;

    IF is_single THEN
        UPDATE "coupon_codes" SET "used_at" = _at WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id;
    END IF;
    IF own."id" IS NOT NULL THEN
        DELETE FROM "coupon_holds" WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = own."id";
    END IF;
    UPDATE "coupons"
       SET "spent_count" = "spent_count" + 1,
           "spent_amount_e2" = "spent_amount_e2" + given_e2
     WHERE "company_id" = _company AND "id" = _coupon;
    INSERT INTO "coupon_redemptions"
        ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "items",
         "delivery_e2", "created_at")
    VALUES (_company, _coupon, _code, _client, _order, given_e2, given_by_company_e2, _items, _delivery, _at)
    RETURNING "id" INTO use_id;
    outcome := 'used';
END
$$;
