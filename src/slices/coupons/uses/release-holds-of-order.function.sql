-- Gives back all uses that an order holds, before the order is deleted. It takes its locks in the order that
-- `use_coupon` names.
CREATE OR REPLACE FUNCTION "release_holds_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    held record;
BEGIN
    PERFORM FROM "orders" WHERE "company_id" = OLD."company_id" AND "id" = OLD."id" FOR UPDATE;
    FOR held IN
        SELECT "coupon_id", "code" FROM "coupon_holds"
         WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id" ORDER BY "coupon_id"
    LOOP
        PERFORM "release_coupon"(OLD."company_id", held."coupon_id", OLD."id", held."code", '-infinity');
    END LOOP;
    RETURN OLD;
END
$$;
