-- Notes how often a coupon was used where lists are ordered by it. The row of the coupon is locked, so uses come one by one.
CREATE OR REPLACE FUNCTION "rank_coupon"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_ranks" ("company_id", "coupon_id", "uses")
    VALUES (NEW."company_id", NEW."id", "rough_count"(NEW."spent_count"))
    ON CONFLICT ("company_id", "coupon_id") DO UPDATE SET "uses" = EXCLUDED."uses";
    RETURN NULL;
END
$$;
