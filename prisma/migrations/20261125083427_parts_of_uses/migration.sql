DROP TRIGGER coupon_redemptions_fact_returned ON coupon_redemptions;

DROP TRIGGER coupon_redemptions_returned_once ON coupon_redemptions;

-- AlterTable
ALTER TABLE "coupon_redemptions" ADD COLUMN     "returned_amount_e2" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "returned_company_amount_e2" BIGINT NOT NULL DEFAULT 0;

-- Gives back what the uses and holds of an order give beyond its delivery and beyond the lines with each good, once these
-- became less: the latest ones first. A use of which nothing is left is given back as a whole. An order without lines bounds no items. The order is locked already; the
-- coupons are locked in the order of their ids (see "use_coupon").
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
    PERFORM FROM "coupons"
      WHERE "company_id" = _company AND "id" IN (
          SELECT "coupon_id" FROM "coupon_redemptions"
           WHERE "company_id" = _company AND "order_id" = _order AND "returned_at" IS NULL
          UNION ALL
          SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = _company AND "order_id" = _order
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
              FROM "coupon_holds" WHERE "company_id" = _company AND "order_id" = _order
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

-- Tells reports that a use was given back, as a whole or in part.
CREATE OR REPLACE FUNCTION "note_coupon_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupon_use_facts"
       SET "returned_at" = NEW."returned_at", "amount_e2" = NEW."amount_e2", "company_amount_e2" = NEW."company_amount_e2"
     WHERE "company_id" = NEW."company_id" AND "coupon_id" = NEW."coupon_id" AND "use_id" = NEW."id";
    RETURN NULL;
END
$$;

-- Gives back what all uses of an order give on units of goods. A unit is given back once by each use: the first lines with a good
-- come first, and of a line the units that got a hundredth more do. A use of which all is given back is returned as a whole.
-- Returns a row for each use of which something was given back: how much of it, and the use after that. Where fewer units of a
-- good are left than are asked for, nothing is done, and the one row tells that good and how many are left.
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

ALTER TABLE coupon_redemptions ADD CONSTRAINT coupon_redemptions_returned_check CHECK (((returned_amount_e2 >= 0) AND ((returned_company_amount_e2 >= 0) AND (returned_company_amount_e2 <= returned_amount_e2)))) NOT VALID;

CREATE TRIGGER coupon_redemptions_fact_returned AFTER UPDATE OF returned_at, amount_e2 ON public.coupon_redemptions FOR EACH ROW EXECUTE FUNCTION note_coupon_return();

CREATE TRIGGER coupon_redemptions_returned_once BEFORE UPDATE ON public.coupon_redemptions FOR EACH ROW WHEN (
        CASE
            WHEN (old.returned_at IS NOT NULL) THEN ((old.order_id IS NULL) OR ((to_jsonb(new.*) - 'items'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'items'::text)))
            WHEN (new.returned_at IS NOT NULL) THEN (((old.order_id IS NULL) AND (old.movement_id IS NULL)) OR ((to_jsonb(new.*) - '{returned_at,items}'::text[]) IS DISTINCT FROM (to_jsonb(old.*) - '{returned_at,items}'::text[])))
            ELSE ((old.order_id IS NULL) OR (new.returned_amount_e2 < old.returned_amount_e2) OR (new.returned_company_amount_e2 < old.returned_company_amount_e2) OR ((new.amount_e2 + new.returned_amount_e2) <> (old.amount_e2 + old.returned_amount_e2)) OR ((new.company_amount_e2 + new.returned_company_amount_e2) <> (old.company_amount_e2 + old.returned_company_amount_e2)) OR ((to_jsonb(new.*) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[]) IS DISTINCT FROM (to_jsonb(old.*) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[])))
        END) EXECUTE FUNCTION refuse_change();
