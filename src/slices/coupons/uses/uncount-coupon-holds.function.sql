-- Takes the holds that a statement removed off the counts of their coupons.
CREATE OR REPLACE FUNCTION "uncount_coupon_holds"() RETURNS trigger LANGUAGE plpgsql AS $$
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
