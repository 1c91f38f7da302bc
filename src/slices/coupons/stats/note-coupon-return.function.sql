-- Notes for reports that a use was given back, as a whole or in part.
CREATE OR REPLACE FUNCTION "note_coupon_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupon_use_facts"
       SET "returned_at" = NEW."returned_at", "amount_e2" = NEW."amount_e2", "company_amount_e2" = NEW."company_amount_e2"
     WHERE "company_id" = NEW."company_id" AND "coupon_id" = NEW."coupon_id" AND "use_id" = NEW."id";
    -- The use may be in sums that are kept already: see kept-use-sums.service.ts.
    IF NEW."created_at" < clock_timestamp() - interval '30 minutes' THEN
        INSERT INTO "coupon_use_changes" ("company_id", "used_at") VALUES (NEW."company_id", NEW."created_at");
    END IF;
    RETURN NULL;
END
$$;
