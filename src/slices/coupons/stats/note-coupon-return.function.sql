-- Notes for reports that a use was given back, as a whole or in part.
CREATE OR REPLACE FUNCTION "note_coupon_return"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    branch integer;
BEGIN
    UPDATE "coupon_use_facts"
       SET "returned_at" = NEW."returned_at", "amount_e2" = NEW."amount_e2", "company_amount_e2" = NEW."company_amount_e2"
     WHERE "company_id" = NEW."company_id" AND "coupon_id" = NEW."coupon_id" AND "use_id" = NEW."id"
    RETURNING "branch_id" INTO branch;
    -- The use may be in sums that are kept already, which change by that: see kept-use-sums.service.ts.
    IF NEW."created_at" < clock_timestamp() - interval '30 minutes' THEN
        INSERT INTO "coupon_use_changes"
            ("company_id", "kind", "coupon_id", "branch_id", "used_at", "returned", "discount_e2", "company_discount_e2")
        VALUES (NEW."company_id", 'given_back', NEW."coupon_id", branch, NEW."created_at",
                (NEW."returned_at" IS NOT NULL)::integer - (OLD."returned_at" IS NOT NULL)::integer,
                CASE WHEN NEW."returned_at" IS NULL THEN NEW."amount_e2" ELSE 0 END
                    - CASE WHEN OLD."returned_at" IS NULL THEN OLD."amount_e2" ELSE 0 END,
                CASE WHEN NEW."returned_at" IS NULL THEN NEW."company_amount_e2" ELSE 0 END
                    - CASE WHEN OLD."returned_at" IS NULL THEN OLD."company_amount_e2" ELSE 0 END);
    END IF;
    RETURN NULL;
END
$$;
