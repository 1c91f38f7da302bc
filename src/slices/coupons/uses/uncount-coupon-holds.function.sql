-- Takes the holds that a statement removed off the counts of their coupons. They are summed by a statement of their own, as in
-- "count_rows"; coupons are locked in the order of their ids.
CREATE OR REPLACE FUNCTION "uncount_coupon_holds"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _coupon integer;
    _count integer;
    _amount bigint;
BEGIN
    FOR _company, _coupon, _count, _amount IN
        SELECT "company_id", "coupon_id", count(*), sum("amount_e2") FROM "removed" GROUP BY 1, 2 ORDER BY 1, 2
    LOOP
        UPDATE "coupons" SET "held_count" = "held_count" - _count, "held_amount_e2" = "held_amount_e2" - _amount
         WHERE "company_id" = _company AND "id" = _coupon;
    END LOOP;
    RETURN NULL;
END
$$;
