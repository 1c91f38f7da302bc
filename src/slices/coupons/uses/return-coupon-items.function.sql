-- Gives back what all uses of an order give on units of goods. A unit is given back once, whatever uses the order has by then: of
-- a good as many are left as the largest of its uses had, less those that went back. The first lines with a good come first, and
-- of a line the units that got a hundredth more do. A use that was made when units had gone back gives back what it gave on these
-- along with the next ones. A use of which all is given back is returned as a whole.
-- Returns a row for each use of which something was given back: how much of it, and the use after that. Where fewer units of a
-- good are left than are asked for, nothing is done, and the one row has that good and how many are left.
-- The order is locked first, then the coupons in the order of their ids (see "use_coupon").
CREATE OR REPLACE FUNCTION "return_coupon_items"(
    _company integer, _order integer, _goods integer[], _quantities bigint[], _at timestamptz
) RETURNS TABLE (
    "good_id" integer, "units_left" bigint, "returned_e2" bigint, "company_returned_e2" bigint, "use" "coupon_redemptions"
) LANGUAGE plpgsql AS $$
DECLARE
    units_left_of jsonb;
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
    SELECT jsonb_object_agg(u."good", u."units") INTO units_left_of FROM (
        SELECT t."good", max(t."quantity") - max(t."returned") AS "units" FROM (
            SELECT i ->> 'goodId' AS "good", sum((i ->> 'quantity')::bigint) AS "quantity",
                   sum(coalesce((i ->> 'returnedQuantity')::bigint, 0)) AS "returned"
              FROM "coupon_redemptions" r CROSS JOIN LATERAL jsonb_array_elements(r."items") AS i
             WHERE r."company_id" = _company AND r."order_id" = _order
             GROUP BY r."coupon_id", r."id", i ->> 'goodId'
        ) t GROUP BY t."good"
    ) u;
    SELECT w."good", coalesce((units_left_of ->> w."good"::text)::bigint, 0) INTO "good_id", "units_left"
      FROM (
          SELECT n."good", sum(n."quantity") AS "quantity", min(n."place") AS "place"
            FROM unnest(_goods, _quantities) WITH ORDINALITY AS n ("good", "quantity", "place") GROUP BY n."good"
      ) w
     WHERE w."quantity" > coalesce((units_left_of ->> w."good"::text)::bigint, 0)
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
        SELECT jsonb_object_agg(t."good", (all_wanted ->> t."good")::bigint
                                          + greatest(t."units" - (units_left_of ->> t."good")::bigint, 0)) INTO wanted
          FROM (
              SELECT i ->> 'goodId' AS "good",
                     sum((i ->> 'quantity')::bigint - coalesce((i ->> 'returnedQuantity')::bigint, 0)) AS "units"
                FROM jsonb_array_elements("use"."items") AS i GROUP BY i ->> 'goodId'
          ) t WHERE all_wanted ? t."good";
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
