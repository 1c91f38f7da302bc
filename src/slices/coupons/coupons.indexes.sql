-- An order has one use of a coupon that is not given back.
CREATE UNIQUE INDEX "coupon_redemptions_order_key" ON "coupon_redemptions"("company_id", "coupon_id", "order_id") WHERE "returned_at" IS NULL;

-- Few uses are given back, and they are looked for by when that was.
CREATE INDEX "coupon_redemptions_returned_at_idx" ON "coupon_redemptions"("company_id", "returned_at", "id") WHERE "returned_at" IS NOT NULL;

-- Few coupons are deleted, and they are listed by when that was.
CREATE INDEX "coupons_company_id_deleted_at_id_idx" ON "coupons"("company_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
