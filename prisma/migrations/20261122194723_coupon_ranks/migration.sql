-- CreateTable
CREATE TABLE "coupon_ranks" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL,

    CONSTRAINT "coupon_ranks_pkey" PRIMARY KEY ("company_id","coupon_id")
);

-- CreateIndex
CREATE INDEX "coupon_ranks_company_id_uses_coupon_id_idx" ON "coupon_ranks"("company_id", "uses", "coupon_id");

-- AddForeignKey
ALTER TABLE "coupon_ranks" ADD CONSTRAINT "coupon_ranks_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_ranks" ADD CONSTRAINT "coupon_ranks_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Notes how often a coupon was used where lists are ordered by it. The row of the coupon is locked, so uses come one by one.
CREATE OR REPLACE FUNCTION "rank_coupon"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_ranks" ("company_id", "coupon_id", "uses")
    VALUES (NEW."company_id", NEW."id", "rough_count"(NEW."spent_count"))
    ON CONFLICT ("company_id", "coupon_id") DO UPDATE SET "uses" = EXCLUDED."uses";
    RETURN NULL;
END
$$;

-- A number with its two leading digits alone: 1,234 is 1,200; below 100 it is exact. It is in PL/pgSQL because a function in
-- SQL would be read anew for each statement that has it in the condition of a trigger.
CREATE OR REPLACE FUNCTION "rough_count"(_count integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN trunc(_count::numeric, 2 - length(_count::text))::integer;
END
$$;

CREATE TRIGGER coupons_rank_new AFTER INSERT ON public.coupons FOR EACH ROW EXECUTE FUNCTION rank_coupon();

CREATE TRIGGER coupons_rank_used AFTER UPDATE OF spent_count ON public.coupons FOR EACH ROW WHEN ((rough_count(new.spent_count) <> rough_count(old.spent_count))) EXECUTE FUNCTION rank_coupon();
