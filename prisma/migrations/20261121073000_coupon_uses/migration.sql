-- Uses of coupons are decided here, under the lock of the coupon's row, so that no limit is passed whoever asks
-- and however many ask at once. Locks are taken in one order: order, coupon, code, hold, balance holder.

-- A hold that is removed, by whatever means, does not count any more.
CREATE FUNCTION "uncount_coupon_holds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupons" AS c
       SET "held_count" = c."held_count" - gone."count", "held_amount_e2" = c."held_amount_e2" - gone."amount_e2"
      FROM (
          SELECT "company_id", "coupon_id", count(*)::integer AS "count", sum("amount_e2") AS "amount_e2"
            FROM "removed" GROUP BY "company_id", "coupon_id"
      ) AS gone
     WHERE c."company_id" = gone."company_id" AND c."id" = gone."coupon_id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "coupon_holds_uncount" AFTER DELETE ON "coupon_holds" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "uncount_coupon_holds"();

-- Removes the holds of a coupon whose time is up. Its row is locked first, as by all who touch its holds.
CREATE FUNCTION "purge_coupon_holds"(_company integer, _coupon integer, _at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds" WHERE "company_id" = _company AND "coupon_id" = _coupon AND "expires_at" <= _at;
END
$$;

-- Whether a coupon runs, by its exact times.
CREATE FUNCTION "coupon_runs"(_coupon "coupons", _at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT _coupon."deleted_at" IS NULL
       AND (_coupon."status" = 'running' OR _coupon."status" = 'ready' AND coalesce(_coupon."starts_at" <= _at, false))
       AND coalesce(_coupon."ends_at" > _at, true)
$$;

-- Takes one use of a coupon for an order, or reserves it until `_hold_until`.
--   _seen  `updated_at` of the coupon whose rules were judged: a coupon that changed since has to be judged anew.
--   _held  the rules were judged for an order that has the use reserved.
-- Answers `used`, `held`, `changed`, or the code of the refusal.
-- Most uses are of coupons that ask for nothing but their total: these take one statement. The rest is decided
-- step by step, as is every refusal.
CREATE FUNCTION "use_coupon"(
    _company integer, _coupon integer, _order integer, _client integer, _code_id bigint, _code text,
    _amount bigint, _company_amount bigint, _at timestamptz, _hold_until timestamptz, _seen timestamptz, _held boolean,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT given_by_company_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    own "coupon_holds";
    is_kept boolean;
    is_single boolean;
    uses_per_client bigint;
    room bigint;
BEGIN
    given_e2 := _amount;
    given_by_company_e2 := _company_amount;

    IF _hold_until IS NULL AND NOT _held THEN
        BEGIN
            WITH "taken" AS (
                UPDATE "coupons" AS c
                   SET "spent_count" = c."spent_count" + 1, "spent_amount_e2" = c."spent_amount_e2" + _amount
                 WHERE c."company_id" = _company AND c."id" = _coupon AND c."updated_at" = _seen
                   AND c."type" IN ('batch', 'promo') AND c."held_count" = 0 AND c."spent_count" < c."total_count"
                   AND c."status" = 'running' AND (c."ends_at" IS NULL OR c."ends_at" > _at) AND c."deleted_at" IS NULL
                   AND c."config" ->> 'limit' IS NULL AND c."config" ->> 'amountLimitE2' IS NULL
                   AND _amount <= 9223372036854775807 - c."spent_amount_e2"
                RETURNING c."company_id", c."id"
            )
            INSERT INTO "coupon_redemptions"
                ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "created_at")
            SELECT "company_id", "id", _code, _client, _order, _amount, _company_amount, _at FROM "taken"
            RETURNING "id" INTO use_id;
        EXCEPTION WHEN unique_violation THEN
            -- The same order came twice at once.
            outcome := 'changed'; RETURN;
        END;
        IF use_id IS NOT NULL THEN outcome := 'used'; RETURN; END IF;
    END IF;

    -- Before the coupon, as whoever deletes an order does that has something reserved.
    PERFORM FROM "orders" WHERE "company_id" = _company AND "id" = _order FOR KEY SHARE;
    IF NOT FOUND THEN outcome := 'changed'; RETURN; END IF;
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen OR EXISTS (
        SELECT FROM "coupon_redemptions" WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
    ) THEN outcome := 'changed'; RETURN; END IF;

    IF coupon."held_count" > 0 THEN
        PERFORM "purge_coupon_holds"(_company, _coupon, _at);
        SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon;
        SELECT * INTO own FROM "coupon_holds"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order;
    END IF;
    is_kept := own."id" IS NOT NULL AND own."code" IS NOT DISTINCT FROM _code AND own."client_id" IS NOT DISTINCT FROM _client;
    IF _held AND NOT is_kept THEN outcome := 'changed'; RETURN; END IF;
    IF NOT "coupon_runs"(coupon, _at) THEN outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;

    is_single := coupon."type" IN ('personal', 'gift_card');
    IF NOT is_kept THEN
        IF own."id" IS NULL AND coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN
            outcome := 'COUPON_EXHAUSTED'; RETURN;
        END IF;
        IF is_single AND (
            NOT EXISTS (
                SELECT FROM "coupon_codes"
                 WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL
            ) OR EXISTS (
                SELECT FROM "coupon_holds"
                 WHERE "company_id" = _company AND "coupon_id" = _coupon AND "code" = _code AND "order_id" <> _order
            )
        ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
        uses_per_client := (coupon."config" ->> 'limit')::bigint;
        IF uses_per_client IS NOT NULL AND (_client IS NULL OR uses_per_client <= (
            SELECT count(*) FROM "coupon_redemptions"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client
        ) + (
            SELECT count(*) FROM "coupon_holds"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "order_id" <> _order
        )) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    END IF;

    -- Without a limit of its own it may give what a sum can hold.
    room := coalesce((coupon."config" ->> 'amountLimitE2')::bigint, 9223372036854775807)
        - coupon."spent_amount_e2" - coupon."held_amount_e2" + coalesce(own."amount_e2", 0);
    IF given_e2 > room AND is_kept THEN
        given_e2 := own."amount_e2";
        given_by_company_e2 := own."company_amount_e2";
    ELSIF given_e2 > room THEN
        outcome := 'COUPON_AMOUNT_LIMIT'; RETURN;
    END IF;

    IF _hold_until IS NOT NULL THEN
        INSERT INTO "coupon_holds"
            ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "expires_at", "created_at")
        VALUES (_company, _coupon, _code, _client, _order, given_e2, given_by_company_e2, _hold_until, _at)
        ON CONFLICT ("company_id", "coupon_id", "order_id") DO UPDATE
            SET "code" = EXCLUDED."code", "client_id" = EXCLUDED."client_id", "amount_e2" = EXCLUDED."amount_e2",
                "company_amount_e2" = EXCLUDED."company_amount_e2", "expires_at" = EXCLUDED."expires_at"
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
        ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "created_at")
    VALUES (_company, _coupon, _code, _client, _order, given_e2, given_by_company_e2, _at)
    RETURNING "id" INTO use_id;
    outcome := 'used';
END
$$;

-- Gives back the use that an order reserved; answers the hold as it was, or nothing.
CREATE FUNCTION "release_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
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

-- An order that is deleted gives back what it reserved, with the locks in the order of all.
CREATE FUNCTION "release_holds_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    held record;
BEGIN
    PERFORM FROM "orders" WHERE "company_id" = OLD."company_id" AND "id" = OLD."id" FOR UPDATE;
    FOR held IN
        SELECT "coupon_id", "code" FROM "coupon_holds"
         WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id" ORDER BY "coupon_id"
    LOOP
        PERFORM "release_coupon"(OLD."company_id", held."coupon_id", OLD."id", held."code", '-infinity');
    END LOOP;
    RETURN OLD;
END
$$;

CREATE TRIGGER "orders_release_holds" BEFORE DELETE ON "orders"
    FOR EACH ROW EXECUTE FUNCTION "release_holds_of_order"();

-- Posts a movement: the next number of its holder, from the balance that the one before left. Nothing is posted, and
-- nothing answered, when the balance would leave what the interfaces can show (53 bits).
CREATE FUNCTION "post_movement"(
    _company integer, _holder_type text, _holder_key integer, _currency text, _amount bigint, _type text,
    _description text, _author integer, _related_type text, _related_id bigint, _at timestamptz
) RETURNS SETOF "balance_movements" LANGUAGE sql AS $$
    WITH "holder" AS (
        INSERT INTO "balance_holders" AS h ("company_id", "type", "key", "currency_iso", "balance_e2", "movement_count")
        VALUES (_company, _holder_type, _holder_key, _currency, _amount, 1)
        ON CONFLICT ("company_id", "type", "key", "currency_iso") DO UPDATE
            SET "balance_e2" = h."balance_e2" + EXCLUDED."balance_e2", "movement_count" = h."movement_count" + 1
            WHERE h."balance_e2" + EXCLUDED."balance_e2" BETWEEN -9007199254740991 AND 9007199254740991
        RETURNING h."balance_e2", h."movement_count"
    )
    INSERT INTO "balance_movements"
        ("company_id", "holder_type", "holder_key", "currency_iso", "number", "initial_balance_e2", "amount_e2",
         "final_balance_e2", "type", "description", "author_id", "related_type", "related_id", "created_at")
    SELECT _company, _holder_type, _holder_key, _currency, "movement_count", "balance_e2" - _amount, _amount,
           "balance_e2", _type, _description, _author, _related_type, _related_id, _at
      FROM "holder"
    RETURNING *
$$;

-- Turns a gift card's code into balance, once. Answers `redeemed` with the holder's balance after it, `changed`,
-- `full` when the balance cannot hold it, or the code of the refusal.
CREATE FUNCTION "redeem_gift_card"(
    _company integer, _coupon integer, _code_id bigint, _code text, _client integer,
    _holder_type text, _holder_key integer, _currency text, _author integer, _at timestamptz, _seen timestamptz,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT balance_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    uses_per_client bigint;
BEGIN
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen THEN outcome := 'changed'; RETURN; END IF;
    IF NOT "coupon_runs"(coupon, _at) THEN outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;
    IF coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN outcome := 'COUPON_EXHAUSTED'; RETURN; END IF;
    IF NOT EXISTS (
        SELECT FROM "coupon_codes"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL
    ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
    uses_per_client := (coupon."config" ->> 'limit')::bigint;
    IF uses_per_client IS NOT NULL AND _client IS NOT NULL AND uses_per_client <= (
        SELECT count(*) FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client
    ) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    given_e2 := coupon."price_e2";
    IF given_e2 > 9223372036854775807 - coupon."spent_amount_e2" THEN outcome := 'full'; RETURN; END IF;

    SELECT m."final_balance_e2" INTO redeem_gift_card.balance_e2
      FROM "post_movement"(_company, _holder_type, _holder_key, _currency, given_e2, 'gift_card', coupon."name",
                           _author, 'coupon', _coupon, _at) AS m;
    IF NOT FOUND THEN outcome := 'full'; RETURN; END IF;
    UPDATE "coupon_codes" SET "used_at" = _at WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id;
    UPDATE "coupons" SET "spent_count" = "spent_count" + 1, "spent_amount_e2" = "spent_amount_e2" + given_e2
     WHERE "company_id" = _company AND "id" = _coupon;
    INSERT INTO "coupon_redemptions" ("company_id", "coupon_id", "code", "client_id", "amount_e2", "created_at")
    VALUES (_company, _coupon, _code, _client, given_e2, _at)
    RETURNING "id" INTO use_id;
    outcome := 'redeemed';
END
$$;
