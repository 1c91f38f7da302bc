-- AlterTable
ALTER TABLE "branches" ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "coupons" ADD COLUMN     "currency_iso" TEXT,
ADD COLUMN     "uploaded_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "order_items" ADD COLUMN     "properties" JSONB,
ADD COLUMN     "total_price_e2" BIGINT;

-- Coupons that were set ready before keep the currency that their company has now.
UPDATE "coupons" AS c
   SET "currency_iso" = coalesce((
           SELECT s."data" ->> 'currencyIso' FROM "company_settings" s WHERE s."company_id" = c."company_id"
       ), 'USD')
 WHERE c."status" <> 'pending';

UPDATE "coupons" AS c
   SET "uploaded_count" = least(u."added", c."total_count")
  FROM (SELECT "company_id", "coupon_id", sum("added")::integer AS "added" FROM "coupon_code_uploads" GROUP BY 1, 2) AS u
 WHERE u."company_id" = c."company_id" AND u."coupon_id" = c."id" AND u."added" > 0;

-- Gives a client a personal coupon with one code, which runs at once and is for one use by that client alone.
--   _terms  name, amounts with their currency, code length and end of the coupon, by the names of the columns.
--   _codes  codes to try: the first that is free becomes the coupon's. Of two coupons that get the same code at
--           once, the second one tries its next.
CREATE OR REPLACE FUNCTION "give_prize_coupon"(
    _company integer, _event integer, _client integer, _at timestamptz, _terms jsonb, _codes text[],
    OUT coupon "coupons", OUT coupon_code text
) LANGUAGE plpgsql AS $$
DECLARE
    terms "coupons" := jsonb_populate_record(NULL::"coupons", _terms);
    code_id bigint;
BEGIN
    INSERT INTO "coupons"
        ("company_id", "company_event_id", "type", "status", "total_count", "generated_count", "starts_at", "whitelist",
         "name", "price_e2", "price_prc", "min_purchase_e2", "applies_to", "code_length", "ends_at",
         "currency_iso")
    VALUES (_company, _event, 'personal', 'running', 1, 1, _at, ARRAY[_client],
         terms."name", terms."price_e2", terms."price_prc", terms."min_purchase_e2", terms."applies_to",
         terms."code_length", terms."ends_at", terms."currency_iso")
    RETURNING * INTO coupon;

    FOREACH coupon_code IN ARRAY _codes LOOP
        INSERT INTO "coupon_codes" ("company_id", "coupon_id", "code") VALUES (_company, coupon."id", coupon_code)
        ON CONFLICT ("company_id", "code") DO NOTHING
        RETURNING "id" INTO code_id;
        EXIT WHEN code_id IS NOT NULL;
    END LOOP;
    IF code_id IS NULL THEN
        RAISE EXCEPTION 'no code of % characters was free', terms."code_length";
    END IF;

    -- The job that writes the coupon's end, as for every coupon.
    IF terms."ends_at" IS NOT NULL THEN
        PERFORM "graphile_worker"."add_job"(
            'couponDue', json_build_object('companyId', _company, 'couponId', coupon."id"),
            run_at => terms."ends_at", job_key => format('coupon:%s:%s', _company, coupon."id"));
    END IF;
END
$$;

ALTER TABLE coupons ADD CONSTRAINT coupons_uploaded_count_check CHECK (((uploaded_count >= 0) AND (uploaded_count <= total_count)));

ALTER TABLE order_items ADD CONSTRAINT order_items_total_price_e2_check CHECK (((total_price_e2 >= 0) AND (total_price_e2 <= '9007199254740991'::bigint)));
