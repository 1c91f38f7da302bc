-- Gives back all uses that an order holds, before the order is deleted. It takes its locks in the order that
-- `use_coupon` names: whoever deletes the order has locked it before this begins.
CREATE OR REPLACE FUNCTION "release_holds_of_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "lock_room_of_coupons"(OLD."company_id", ARRAY(
        SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id"
    ), true);
    PERFORM FROM "coupons"
      WHERE "company_id" = OLD."company_id" AND "id" IN (
          SELECT "coupon_id" FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id"
      )
      ORDER BY "id" FOR NO KEY UPDATE;
    DELETE FROM "coupon_holds" WHERE "company_id" = OLD."company_id" AND "order_id" = OLD."id";
    RETURN OLD;
END
$$;
