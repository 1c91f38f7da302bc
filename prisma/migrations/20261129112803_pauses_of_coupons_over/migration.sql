-- CreateTable
CREATE TABLE "coupon_pauses" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "coupon_pauses_pkey" PRIMARY KEY ("company_id","coupon_id","id")
);

-- AddForeignKey
ALTER TABLE "coupon_pauses" ADD CONSTRAINT "coupon_pauses_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_pauses" ADD CONSTRAINT "coupon_pauses_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Notes a pause of a coupon that is over: see pauses-over.sql.ts.
CREATE OR REPLACE FUNCTION "note_coupon_pause"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_pauses" ("company_id", "coupon_id", "began_at", "ended_at")
    VALUES (NEW."company_id", NEW."id", OLD."paused_at", NEW."updated_at");
    RETURN NULL;
END
$$;

CREATE TRIGGER coupons_pause_noted AFTER UPDATE OF paused_at ON public.coupons FOR EACH ROW WHEN (((old.paused_at IS NOT NULL) AND (new.paused_at IS DISTINCT FROM old.paused_at))) EXECUTE FUNCTION note_coupon_pause();

COMMENT ON INDEX coupon_pauses_pkey IS 'key of the rows; relation by coupon_id';
