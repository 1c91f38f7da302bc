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
