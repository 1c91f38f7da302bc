-- Uses several coupons for an order, all or none. The parameters are those of "use_coupon", as arrays where they differ
-- from coupon to coupon; `_order_seen` is the `xmin` of the order when everything was judged.
-- `_wish` is what the order asked for, as a hash: the order keeps the latest eight until one of its uses is given back.
-- Returns a row for each use with the place of its coupon in the arrays; or one row with the outcome that stopped all,
-- at place 0 when it is the order that changed.
CREATE OR REPLACE FUNCTION "use_coupons"(
    _company integer, _order integer, _order_seen xid, _client integer, _at timestamptz,
    _coupons integer[], _code_ids bigint[], _codes text[], _amounts bigint[], _company_amounts bigint[], _seen timestamptz[],
    _held boolean[], _items jsonb[], _deliveries bigint[] DEFAULT NULL, _wish text DEFAULT NULL,
    _limits_since timestamptz[] DEFAULT NULL, _ran_at timestamptz DEFAULT NULL
) RETURNS TABLE ("place" integer, "outcome" text, "use_id" bigint, "given_e2" bigint, "given_by_company_e2" bigint)
LANGUAGE plpgsql AS $$
DECLARE
    next integer;
    done record;
    ids bigint[];
    given bigint[];
    given_by_company bigint[];
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
        PERFORM "lock_campaigns"(_company, _coupons);
        -- Coupons are locked in the order of their ids, as everywhere.
        FOR next IN SELECT c."place" FROM unnest(_coupons) WITH ORDINALITY AS c ("id", "place") ORDER BY c."id" LOOP
            SELECT * INTO done FROM "use_coupon"(
                _company, _coupons[next], _order, _client, _code_ids[next], _codes[next], _amounts[next],
                _company_amounts[next], _at, NULL, _seen[next], _held[next], NULL, _items[next],
                _deliveries[next], _limits_since[next], _ran_at
            );
            IF done.outcome <> 'used' THEN RAISE EXCEPTION USING ERRCODE = 'UC001'; END IF;
            ids[next] := done.use_id;
            given[next] := done.given_e2;
            given_by_company[next] := done.given_by_company_e2;
        END LOOP;
    EXCEPTION WHEN SQLSTATE 'UC001' THEN
        RETURN QUERY SELECT next, done.outcome, NULL::bigint, NULL::bigint, NULL::bigint;
        RETURN;
    END;
    RETURN QUERY SELECT u."place"::integer, 'used', u."id", u."given", u."given_by_company"
      FROM unnest(ids, given, given_by_company) WITH ORDINALITY AS u ("id", "given", "given_by_company", "place");
END
$$;
