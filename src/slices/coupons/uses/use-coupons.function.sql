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
        -- A distributed database does not run that statement.
        IF _are_free AND NOT "is_distributed"() THEN
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
