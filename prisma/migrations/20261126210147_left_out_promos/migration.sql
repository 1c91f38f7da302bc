DROP ROUTINE use_coupons(integer,integer,xid,integer,timestamp with time zone,integer[],bigint[],text[],bigint[],bigint[],timestamp with time zone[],boolean[],jsonb[],bigint[],text,timestamp with time zone[],timestamp with time zone,boolean);

-- Gives back what the uses and holds of an order give beyond its delivery and beyond the lines with each good, once these
-- became less: the latest ones first. A use of which nothing is left is given back as a whole. An order without lines
-- bounds no items. A hold that has expired takes nothing. The order is locked already; the coupons are locked in the order
-- of their ids (see "use_coupon").
CREATE OR REPLACE FUNCTION "fit_coupons_to_order"(_company integer, _order integer, _at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    delivery_left bigint;
    lines_left jsonb;
    taken record;
    item jsonb;
    good text;
    share bigint;
    kept bigint;
    kept_items jsonb;
    kept_delivery bigint;
    beyond bigint;
    left_company bigint;
    is_changed boolean := false;
BEGIN
    SELECT "delivery_e2" INTO delivery_left FROM "orders"
     WHERE "company_id" = _company AND "id" = _order AND "coupon_version" > 0 AND "status" <> 'canceled';
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM "lock_room_of_coupons"(_company, ARRAY(
        SELECT "coupon_id" FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "order_id" = _order AND "returned_at" IS NULL
        UNION ALL
        SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = _company AND "order_id" = _order AND "expires_at" > _at
    ), true);
    PERFORM FROM "coupons"
      WHERE "company_id" = _company AND "id" IN (
          SELECT "coupon_id" FROM "coupon_redemptions"
           WHERE "company_id" = _company AND "order_id" = _order AND "returned_at" IS NULL
          UNION ALL
          SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = _company AND "order_id" = _order AND "expires_at" > _at
      )
      ORDER BY "id" FOR NO KEY UPDATE;
    SELECT jsonb_object_agg(n."good_id"::text, coalesce(
               n."total_price_e2",
               round(n."quantity"::numeric * coalesce(x."price_e2", w."price_e2") / CASE
                   WHEN w."unit_config" -> 'enabled' = 'true'::jsonb THEN (w."unit_config" ->> 'fraction')::integer ELSE 1
               END)
           ))
      INTO lines_left
      FROM "order_items" n
      JOIN "orders" o ON o."company_id" = n."company_id" AND o."id" = n."order_id"
      JOIN "goods" w ON w."company_id" = n."company_id" AND w."id" = n."good_id"
      LEFT JOIN "branch_goods" x
        ON x."company_id" = n."company_id" AND x."branch_id" = o."branch_id" AND x."good_id" = n."good_id"
     WHERE n."company_id" = _company AND n."order_id" = _order;

    FOR taken IN
        SELECT * FROM (
            SELECT "coupon_id", "id", "code", "client_id", "amount_e2", "company_amount_e2", "items", "delivery_e2", "created_at",
                   "returned_amount_e2", "returned_company_amount_e2", false AS "is_held"
              FROM "coupon_redemptions" WHERE "company_id" = _company AND "order_id" = _order AND "returned_at" IS NULL
            UNION ALL
            SELECT "coupon_id", "id", "code", "client_id", "amount_e2", "company_amount_e2", "items", "delivery_e2", "created_at",
                   0, 0, true
              FROM "coupon_holds" WHERE "company_id" = _company AND "order_id" = _order AND "expires_at" > _at
        ) AS t ORDER BY "created_at", "coupon_id"
    LOOP
        beyond := 0;
        kept_delivery := taken."delivery_e2";
        IF kept_delivery IS NOT NULL THEN
            kept_delivery := least(kept_delivery, delivery_left);
            beyond := taken."delivery_e2" - kept_delivery;
            delivery_left := delivery_left - kept_delivery;
        END IF;
        kept_items := taken."items";
        IF lines_left IS NOT NULL AND kept_items IS NOT NULL THEN
            kept_items := '[]';
            FOR item IN SELECT "value" FROM jsonb_array_elements(taken."items") LOOP
                good := item ->> 'goodId';
                share := (item ->> 'amountE2')::bigint;
                kept := least(share, coalesce((lines_left ->> good)::bigint, 0));
                lines_left := lines_left || jsonb_build_object(good, coalesce((lines_left ->> good)::bigint, 0) - kept);
                beyond := beyond + share - kept;
                kept_items := kept_items || jsonb_build_array(item || jsonb_build_object('amountE2', kept));
            END LOOP;
        END IF;
        CONTINUE WHEN beyond = 0;
        is_changed := true;
        left_company := round((taken."company_amount_e2" + taken."returned_company_amount_e2")::numeric
            * (taken."amount_e2" - beyond) / (taken."amount_e2" + taken."returned_amount_e2"));
        IF taken."is_held" THEN
            UPDATE "coupon_holds"
               SET "amount_e2" = "amount_e2" - beyond, "company_amount_e2" = left_company, "items" = kept_items,
                   "delivery_e2" = kept_delivery
             WHERE "company_id" = _company AND "coupon_id" = taken."coupon_id" AND "id" = taken."id";
            UPDATE "coupons" SET "held_amount_e2" = "held_amount_e2" - beyond
             WHERE "company_id" = _company AND "id" = taken."coupon_id";
        ELSIF beyond = taken."amount_e2" THEN
            PERFORM "return_coupon"(_company, taken."coupon_id", _order, taken."code", _at);
        ELSE
            UPDATE "coupon_redemptions"
               SET "amount_e2" = "amount_e2" - beyond, "company_amount_e2" = left_company, "items" = kept_items,
                   "delivery_e2" = kept_delivery, "returned_amount_e2" = "returned_amount_e2" + beyond,
                   "returned_company_amount_e2" = "returned_company_amount_e2" + "company_amount_e2" - left_company
             WHERE "company_id" = _company AND "coupon_id" = taken."coupon_id" AND "id" = taken."id";
            UPDATE "coupons" SET "spent_amount_e2" = "spent_amount_e2" - beyond
             WHERE "company_id" = _company AND "id" = taken."coupon_id";
        END IF;
    END LOOP;
    -- What was judged before is judged anew, and a wish that was met is met no more.
    IF is_changed THEN
        UPDATE "orders" SET "coupon_version" = "coupon_version" + 1, "coupon_wishes" = '{}'
         WHERE "company_id" = _company AND "id" = _order;
    END IF;
END
$$;

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
            OR "campaign_room"(_company, c."campaign_id", _at) > l."room"
            OR CASE WHEN l."client_uses" > 0 THEN l."client_uses" > (
                   SELECT count(*) FROM "coupon_redemptions" r
                    WHERE r."company_id" = _company AND r."coupon_id" = c."id" AND r."client_id" = _client
                      AND r."returned_at" IS NULL AND r."order_id" IS DISTINCT FROM _order
                      AND r."created_at" >= coalesce(l."since", '-infinity')
               ) + (
                   SELECT count(*) FROM "coupon_holds" h
                    WHERE h."company_id" = _company AND h."coupon_id" = c."id" AND h."client_id" = _client
                      AND h."expires_at" > _at AND h."order_id" <> _order
               ) END
            OR CASE WHEN l."client_amount" > 0 THEN l."client_amount" > (
                   SELECT coalesce(sum(r."amount_e2"), 0) FROM "coupon_redemptions" r
                    WHERE r."company_id" = _company AND r."coupon_id" = c."id" AND r."client_id" = _client
                      AND r."returned_at" IS NULL AND r."order_id" IS DISTINCT FROM _order
               ) + (
                   SELECT coalesce(sum(h."amount_e2"), 0) FROM "coupon_holds" h
                    WHERE h."company_id" = _company AND h."coupon_id" = c."id" AND h."client_id" = _client
                      AND h."expires_at" > _at AND h."order_id" <> _order
               ) END
    );
END
$$;

-- Locks what coupons have left to give. Whoever gives uses or holds back locks it alone; whoever leaves coupons out because they
-- have too little left locks it together with others like that: so what is given back is seen before the decision, or comes
-- after it. These are no locks of rows, since of a coupon that is used up everybody would wait for everybody, and whoever gives
-- back for all of them. It is taken behind the order, before campaigns and coupons (see "use_coupon"), in the order of the keys.
CREATE OR REPLACE FUNCTION "lock_room_of_coupons"(_company integer, _coupons integer[], _gives_back boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM CASE WHEN _gives_back THEN pg_advisory_xact_lock(k."key") ELSE pg_advisory_xact_lock_shared(k."key") END
      FROM (
          SELECT DISTINCT hashtextextended(
                     'room of coupons:' || _company || coalesce(':campaign ' || c."campaign_id", ':coupon ' || c."id"), 0
                 ) AS "key"
            FROM "coupons" c WHERE c."company_id" = _company AND c."id" = ANY (_coupons)
           ORDER BY 1
      ) k;
END
$$;

-- Gives back the use that an order holds; without a code that of any code. Returns the hold as it was, or nothing. What is
-- read of the order's coupons is of one version of the order, so this makes a new one. The order is locked first, then the
-- coupon (see "use_coupon").
CREATE OR REPLACE FUNCTION "release_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
RETURNS SETOF "coupon_holds" LANGUAGE plpgsql AS $$
DECLARE
    own "coupon_holds";
BEGIN
    UPDATE "orders" SET "coupon_version" = "coupon_version" + 1 WHERE "company_id" = _company AND "id" = _order;
    PERFORM "lock_room_of_coupons"(_company, ARRAY[_coupon], true);
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds"
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
       AND "expires_at" > _at AND (_code IS NULL OR "code" = _code)
    RETURNING * INTO own;
    IF FOUND THEN RETURN NEXT own; END IF;
END
$$;

-- Gives back all uses that an order holds, before the order is deleted. It takes its locks in the order that
-- `use_coupon` names: whoever deletes the order has locked it before this begins.
CREATE OR REPLACE FUNCTION "release_holds_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "lock_room_of_coupons"(OLD."company_id", ARRAY(
        SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id"
    ), true);
    PERFORM FROM "coupons"
      WHERE "company_id" = OLD."company_id" AND "id" IN (
          SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id"
      )
      ORDER BY "id" FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id";
    RETURN OLD;
END
$$;

-- Gives back the use that an order made of a coupon: counters, budget, the client's limit and the code are as before it.
-- Without a code it is the use of any code. Returns the use, the latest one that was given back when there is no other, or
-- nothing. The order is locked first, then the coupon (see "use_coupon").
CREATE OR REPLACE FUNCTION "return_coupon"(_company integer, _coupon integer, _order integer, _code text, _at timestamptz)
RETURNS SETOF "coupon_redemptions" LANGUAGE plpgsql AS $$
DECLARE
    own "coupon_redemptions";
BEGIN
    UPDATE "orders" SET "coupon_version" = "coupon_version" + 1 WHERE "company_id" = _company AND "id" = _order;
    PERFORM "lock_room_of_coupons"(_company, ARRAY[_coupon], true);
    PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    UPDATE "coupon_redemptions" SET "returned_at" = greatest(_at, "created_at")
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order AND "returned_at" IS NULL
       AND (_code IS NULL OR "code" = _code)
    RETURNING * INTO own;
    IF NOT FOUND THEN
        RETURN QUERY SELECT * FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "order_id" = _order
           AND "returned_at" IS NOT NULL AND (_code IS NULL OR "code" = _code)
         ORDER BY "returned_at" DESC, "id" DESC LIMIT 1;
        RETURN;
    END IF;
    -- A wish that was met is met no more.
    UPDATE "orders" SET "coupon_wishes" = '{}'
     WHERE "company_id" = _company AND "id" = _order AND "coupon_wishes" <> '{}';
    UPDATE "coupons" SET "spent_count" = "spent_count" - 1, "spent_amount_e2" = "spent_amount_e2" - own."amount_e2"
     WHERE "company_id" = _company AND "id" = _coupon;
    UPDATE "coupon_codes" SET "used_at" = NULL
     WHERE "company_id" = _company AND "coupon_id" = _coupon AND "code" = own."code" AND "used_at" IS NOT NULL;
    RETURN NEXT own;
END
$$;

-- Gives back what all uses of an order give on units of goods. A unit is given back once by each use: the first lines with a good
-- come first, and of a line the units that got a hundredth more do. A use of which all is given back is returned as a whole.
-- Returns a row for each use of which something was given back: how much of it, and the use after that. Where fewer units of a
-- good are left than are asked for, nothing is done, and the one row has that good and how many are left.
-- The order is locked first, then the coupons in the order of their ids (see "use_coupon").
CREATE OR REPLACE FUNCTION "return_coupon_items"(
    _company integer, _order integer, _goods integer[], _quantities bigint[], _at timestamptz
) RETURNS TABLE (
    "good_id" integer, "units_left" bigint, "returned_e2" bigint, "company_returned_e2" bigint, "use" "coupon_redemptions"
) LANGUAGE plpgsql AS $$
DECLARE
    all_wanted jsonb;
    wanted jsonb;
    item jsonb;
    good text;
    units bigint;
    units_there bigint;
    share bigint;
    part bigint;
    back bigint;
    left_items jsonb;
    left_company bigint;
    is_touched boolean;
BEGIN
    PERFORM FROM "orders" WHERE "company_id" = _company AND "id" = _order FOR NO KEY UPDATE;
    PERFORM "lock_room_of_coupons"(_company, ARRAY(
        SELECT r."coupon_id" FROM "coupon_redemptions" r WHERE r."company_id" = _company AND r."order_id" = _order
    ), true);
    PERFORM FROM "coupons"
      WHERE "company_id" = _company AND "id" IN (
          SELECT r."coupon_id" FROM "coupon_redemptions" r WHERE r."company_id" = _company AND r."order_id" = _order
      )
      ORDER BY "id" FOR NO KEY UPDATE;
    SELECT w."good", coalesce(t."units", 0) INTO "good_id", "units_left"
      FROM (
          SELECT n."good", sum(n."quantity") AS "quantity", min(n."place") AS "place"
            FROM unnest(_goods, _quantities) WITH ORDINALITY AS n ("good", "quantity", "place") GROUP BY n."good"
      ) w
      LEFT JOIN (
          SELECT u."good", max(u."units") AS "units" FROM (
              SELECT (i ->> 'goodId')::integer AS "good",
                     sum((i ->> 'quantity')::bigint - coalesce((i ->> 'returnedQuantity')::bigint, 0)) AS "units"
                FROM "coupon_redemptions" r CROSS JOIN LATERAL jsonb_array_elements(r."items") AS i
               WHERE r."company_id" = _company AND r."order_id" = _order
               GROUP BY r."coupon_id", r."id", i ->> 'goodId'
          ) u GROUP BY u."good"
      ) t ON t."good" = w."good"
     WHERE w."quantity" > coalesce(t."units", 0)
     ORDER BY w."place" LIMIT 1;
    IF FOUND THEN RETURN NEXT; RETURN; END IF;
    "good_id" := NULL;
    "units_left" := NULL;
    SELECT jsonb_object_agg(w."good"::text, w."quantity") INTO all_wanted FROM (
        SELECT n."good", sum(n."quantity") AS "quantity" FROM unnest(_goods, _quantities) AS n ("good", "quantity") GROUP BY n."good"
    ) w;

    FOR "use" IN
        SELECT r.* FROM "coupon_redemptions" r
         WHERE r."company_id" = _company AND r."order_id" = _order AND r."items" IS NOT NULL
         ORDER BY r."coupon_id", r."id"
    LOOP
        wanted := all_wanted;
        left_items := '[]';
        back := 0;
        is_touched := false;
        FOR item IN SELECT i."value" FROM jsonb_array_elements("use"."items") WITH ORDINALITY AS i ("value", "place") ORDER BY i."place" LOOP
            good := item ->> 'goodId';
            units_there := (item ->> 'quantity')::bigint - coalesce((item ->> 'returnedQuantity')::bigint, 0);
            units := least(units_there, coalesce((wanted ->> good)::bigint, 0));
            IF units > 0 THEN
                is_touched := true;
                wanted := wanted || jsonb_build_object(good, (wanted ->> good)::bigint - units);
                item := item || jsonb_build_object('returnedQuantity', (item ->> 'quantity')::bigint - units_there + units);
                IF "use"."returned_at" IS NULL THEN
                    share := (item ->> 'amountE2')::bigint;
                    part := share / units_there * units + least(units, share % units_there);
                    back := back + part;
                    item := item || jsonb_build_object('amountE2', share - part);
                END IF;
            END IF;
            left_items := left_items || jsonb_build_array(item);
        END LOOP;
        CONTINUE WHEN NOT is_touched;
        IF back > 0 AND back = "use"."amount_e2" THEN
            -- As a whole it stays on record as it was, but for its units.
            SELECT jsonb_agg(l."value" || jsonb_build_object('amountE2', o."value" -> 'amountE2') ORDER BY l."place") INTO left_items
              FROM jsonb_array_elements(left_items) WITH ORDINALITY AS l ("value", "place")
              JOIN jsonb_array_elements("use"."items") WITH ORDINALITY AS o ("value", "place") ON o."place" = l."place";
            PERFORM "return_coupon"(_company, "use"."coupon_id", _order, "use"."code", _at);
            back := 0;
            "returned_e2" := "use"."amount_e2";
            "company_returned_e2" := "use"."company_amount_e2";
        ELSE
            "returned_e2" := back;
            "company_returned_e2" := 0;
        END IF;
        IF back > 0 THEN
            left_company := round(("use"."company_amount_e2" + "use"."returned_company_amount_e2")::numeric
                * ("use"."amount_e2" - back) / ("use"."amount_e2" + "use"."returned_amount_e2"));
            "company_returned_e2" := "use"."company_amount_e2" - left_company;
            UPDATE "coupon_redemptions" r
               SET "amount_e2" = r."amount_e2" - back, "company_amount_e2" = left_company, "items" = left_items,
                   "returned_amount_e2" = r."returned_amount_e2" + back,
                   "returned_company_amount_e2" = r."returned_company_amount_e2" + r."company_amount_e2" - left_company
             WHERE r."company_id" = _company AND r."coupon_id" = "use"."coupon_id" AND r."id" = "use"."id"
            RETURNING r.* INTO "use";
            UPDATE "coupons" SET "spent_amount_e2" = "spent_amount_e2" - back
             WHERE "company_id" = _company AND "id" = "use"."coupon_id";
        ELSE
            UPDATE "coupon_redemptions" r SET "items" = left_items
             WHERE r."company_id" = _company AND r."coupon_id" = "use"."coupon_id" AND r."id" = "use"."id"
            RETURNING r.* INTO "use";
        END IF;
        IF "returned_e2" > 0 THEN RETURN NEXT; END IF;
    END LOOP;
    UPDATE "orders" SET "coupon_version" = "coupon_version" + 1 WHERE "company_id" = _company AND "id" = _order;
END
$$;

-- Gives back all uses and holds of an order that is canceled; the order is locked already.
CREATE OR REPLACE FUNCTION "return_uses_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    taken record;
BEGIN
    PERFORM "lock_room_of_coupons"(NEW."company_id", ARRAY(
        SELECT "coupon_id" FROM "coupon_redemptions"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id" AND "returned_at" IS NULL
        UNION ALL
        SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id"
    ), true);
    FOR taken IN
        SELECT "coupon_id", "code", true AS "is_use" FROM "coupon_redemptions"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id" AND "returned_at" IS NULL
        UNION ALL
        SELECT "coupon_id", "code", false FROM "coupon_holds"
         WHERE "company_id" = NEW."company_id" AND "order_id" = NEW."id"
         ORDER BY "coupon_id"
    LOOP
        IF taken."is_use" THEN
            PERFORM "return_coupon"(NEW."company_id", taken."coupon_id", NEW."id", taken."code", date_trunc('milliseconds', now()));
        ELSE
            PERFORM "release_coupon"(NEW."company_id", taken."coupon_id", NEW."id", taken."code", '-infinity');
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

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
        IF uses_per_client IS NOT NULL AND (_client IS NULL OR uses_per_client <= (
            SELECT count(*) FROM "coupon_redemptions"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "returned_at" IS NULL
               AND "created_at" >= coalesce(_limit_since, '-infinity')
        ) + (
            SELECT count(*) FROM "coupon_holds"
             WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "order_id" <> _order
        )) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
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

-- Uses several coupons for an order, all or none. The parameters are those of "use_coupon", as arrays where they differ
-- from coupon to coupon; `_order_seen` is the `xmin` of the order when everything was judged.
-- `_are_free` says that none of the coupons limited anything but its total when everything was judged, and nothing was held of
-- it: then all are used by one statement. A coupon of which that is not so any more has changed.
-- `_wish` is what the order asked for, as a hash: the order keeps the latest eight until one of its uses is given back.
-- `_left_out` are the coupons that had too little left, as "have_more_room" takes them: where one has more by now, all is to be
-- decided anew.
-- Returns a row for each use with the place of its coupon in the arrays; or one row with the outcome that stopped all,
-- at place 0 when it is the order that changed, or what was left out.
CREATE OR REPLACE FUNCTION "use_coupons"(
    _company integer, _order integer, _order_seen xid, _client integer, _at timestamptz,
    _coupons integer[], _code_ids bigint[], _codes text[], _amounts bigint[], _company_amounts bigint[], _seen timestamptz[],
    _held boolean[], _items jsonb[], _deliveries bigint[] DEFAULT NULL, _wish text DEFAULT NULL,
    _limits_since timestamptz[] DEFAULT NULL, _ran_at timestamptz DEFAULT NULL,
    _are_free boolean DEFAULT false, _left_out jsonb DEFAULT NULL
) RETURNS TABLE ("place" integer, "outcome" text, "use_id" bigint, "given_e2" bigint, "given_by_company_e2" bigint)
LANGUAGE plpgsql AS $$
DECLARE
    next integer;
    done record;
    ids bigint[];
    given bigint[];
    given_by_company bigint[];
    reason text;
BEGIN
    BEGIN
        -- What fails below leaves the order as it was, without the wish.
        UPDATE "orders" AS o SET "coupon_version" = o."coupon_version" + 1,
               "coupon_wishes" = CASE WHEN _wish IS NULL THEN o."coupon_wishes"
                                      ELSE (array_prepend(_wish, array_remove(o."coupon_wishes", _wish)))[1:8] END
         WHERE o."company_id" = _company AND o."id" = _order AND o."xmin" = _order_seen;
        IF NOT FOUND THEN
            RETURN QUERY SELECT 0, 'changed', NULL::bigint, NULL::bigint, NULL::bigint;
            RETURN;
        END IF;
        IF _left_out IS NOT NULL THEN
            PERFORM "lock_room_of_coupons"(
                _company, ARRAY(SELECT (l ->> 'coupon')::integer FROM jsonb_array_elements(_left_out) AS l), false);
            IF "have_more_room"(_company, _order, _client, _left_out, _at) THEN
                next := 0;
                reason := 'changed';
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
        END IF;
        IF _are_free THEN
            -- Coupons are locked in the order of their ids, as everywhere. The arrays are read by (SELECT …), so that the plan
            -- does not go by their length: else PostgreSQL would plan the statement anew each time, which takes longer than it runs.
            WITH "wanted" AS (
                SELECT * FROM unnest((SELECT _coupons), (SELECT _codes), (SELECT _amounts), (SELECT _company_amounts), (SELECT _seen),
                                     (SELECT _items), (SELECT _deliveries)) WITH ORDINALITY
                    AS w ("coupon_id", "code", "amount_e2", "company_amount_e2", "seen", "items", "delivery_e2", "place")
            ), "locked" AS MATERIALIZED (
                SELECT w.* FROM "wanted" w JOIN "coupons" c ON c."company_id" = _company AND c."id" = w."coupon_id"
                 WHERE c."updated_at" = w."seen" AND c."type" IN ('batch', 'promo') AND c."held_count" = 0
                   AND c."spent_count" < c."total_count" AND c."status" = 'running'
                   AND (c."ends_at" IS NULL OR c."ends_at" > _at) AND c."deleted_at" IS NULL AND c."campaign_id" IS NULL
                   AND c."config" ->> 'limit' IS NULL AND c."config" ->> 'amountLimitE2' IS NULL
                   AND c."config" ->> 'clientAmountLimitE2' IS NULL
                   AND w."amount_e2" <= 9223372036854775807 - c."spent_amount_e2"
                 ORDER BY c."id" FOR NO KEY UPDATE OF c
            ), "taken" AS (
                UPDATE "coupons" AS c
                   SET "spent_count" = c."spent_count" + 1, "spent_amount_e2" = c."spent_amount_e2" + l."amount_e2"
                  FROM "locked" l WHERE c."company_id" = _company AND c."id" = l."coupon_id"
                RETURNING l.*
            ), "made" AS (
                INSERT INTO "coupon_redemptions" AS r
                    ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "items",
                     "delivery_e2", "created_at")
                SELECT _company, t."coupon_id", t."code", _client, _order, t."amount_e2", t."company_amount_e2", t."items",
                       t."delivery_e2", _at
                  FROM "taken" t ORDER BY t."coupon_id"
                RETURNING r."id", r."coupon_id"
            )
            SELECT array_agg(m."id" ORDER BY t."place") INTO ids
              FROM "made" m JOIN "taken" t ON t."coupon_id" = m."coupon_id";
            IF cardinality(ids) IS DISTINCT FROM cardinality(_coupons) THEN
                next := 0;
                reason := 'changed';
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
            RETURN QUERY SELECT u."place"::integer, 'used', u."id", u."given", u."given_by_company"
              FROM unnest(ids, _amounts, _company_amounts) WITH ORDINALITY AS u ("id", "given", "given_by_company", "place");
            RETURN;
        END IF;
        PERFORM "lock_campaigns"(_company, _coupons);
        FOR next IN SELECT c."place" FROM unnest(_coupons) WITH ORDINALITY AS c ("id", "place") ORDER BY c."id" LOOP
            SELECT * INTO done FROM "use_coupon"(
                _company, _coupons[next], _order, _client, _code_ids[next], _codes[next], _amounts[next],
                _company_amounts[next], _at, NULL, _seen[next], _held[next], NULL, _items[next],
                _deliveries[next], _limits_since[next], _ran_at
            );
            IF done.outcome <> 'used' THEN
                reason := done.outcome;
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
            ids[next] := done.use_id;
            given[next] := done.given_e2;
            given_by_company[next] := done.given_by_company_e2;
        END LOOP;
    EXCEPTION WHEN SQLSTATE 'UC001' THEN
        RETURN QUERY SELECT next, reason, NULL::bigint, NULL::bigint, NULL::bigint;
        RETURN;
    END;
    RETURN QUERY SELECT u."place"::integer, 'used', u."id", u."given", u."given_by_company"
      FROM unnest(ids, given, given_by_company) WITH ORDINALITY AS u ("id", "given", "given_by_company", "place");
END
$$;
