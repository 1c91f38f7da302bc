-- CreateTable
CREATE TABLE "coupon_use_facts" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "use_id" BIGINT NOT NULL,
    "client_id" INTEGER,
    "order_id" INTEGER,
    "branch_id" INTEGER,
    "currency_iso" TEXT,
    "subtotal_e2" BIGINT NOT NULL DEFAULT 0,
    "amount_e2" BIGINT NOT NULL,
    "company_amount_e2" BIGINT NOT NULL,
    "is_new" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "returned_at" TIMESTAMPTZ(3),

    CONSTRAINT "coupon_use_facts_pkey" PRIMARY KEY ("company_id","coupon_id","use_id")
);

-- CreateIndex
CREATE INDEX "coupon_use_facts_company_id_created_at_use_id_idx" ON "coupon_use_facts"("company_id", "created_at", "use_id");

-- AddForeignKey
ALTER TABLE "coupon_use_facts" ADD CONSTRAINT "coupon_use_facts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_use_facts" ADD CONSTRAINT "coupon_use_facts_company_id_coupon_id_use_id_fkey" FOREIGN KEY ("company_id", "coupon_id", "use_id") REFERENCES "coupon_redemptions"("company_id", "coupon_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Tells reports that a use was given back.
CREATE OR REPLACE FUNCTION "note_coupon_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupon_use_facts" SET "returned_at" = NEW."returned_at"
     WHERE "company_id" = NEW."company_id" AND "coupon_id" = NEW."coupon_id" AND "use_id" = NEW."id";
    RETURN NULL;
END
$$;

-- Writes what reports need of a new use. The subtotal of an order that tells its total alone is that without the delivery.
CREATE OR REPLACE FUNCTION "note_coupon_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_use_facts"
        ("company_id", "coupon_id", "use_id", "client_id", "order_id", "branch_id", "currency_iso", "subtotal_e2", "amount_e2",
         "company_amount_e2", "is_new", "created_at", "returned_at")
    SELECT NEW."company_id", NEW."coupon_id", NEW."id", NEW."client_id", NEW."order_id", o."branch_id", o."currency_iso",
           CASE WHEN o."subtotal_e2" = 0 AND o."total_e2" > o."delivery_e2" THEN o."total_e2" - o."delivery_e2"
                ELSE coalesce(o."subtotal_e2", 0) END,
           NEW."amount_e2", NEW."company_amount_e2",
           NEW."client_id" IS NOT NULL AND NOT EXISTS (
               SELECT FROM "coupon_redemptions" r
                WHERE r."company_id" = NEW."company_id" AND r."client_id" = NEW."client_id" AND r."id" < NEW."id"
           ), NEW."created_at", NEW."returned_at"
      FROM (SELECT 1) AS one
      LEFT JOIN "orders" o ON o."company_id" = NEW."company_id" AND o."id" = NEW."order_id";
    RETURN NULL;
END
$$;

ALTER TABLE coupon_use_facts ADD CONSTRAINT coupon_use_facts_amounts_check CHECK (((amount_e2 >= 0) AND ((company_amount_e2 >= 0) AND (company_amount_e2 <= amount_e2))));

CREATE TRIGGER coupon_redemptions_fact_new AFTER INSERT ON coupon_redemptions FOR EACH ROW EXECUTE FUNCTION note_coupon_use();

CREATE TRIGGER coupon_redemptions_fact_returned AFTER UPDATE OF returned_at ON coupon_redemptions FOR EACH ROW EXECUTE FUNCTION note_coupon_return();

CREATE INDEX coupon_use_facts_new_idx ON coupon_use_facts USING btree (company_id, client_id, use_id) WHERE is_new;
