-- An order has one use of a coupon that is not given back.
CREATE UNIQUE INDEX "coupon_redemptions_order_key" ON "coupon_redemptions"("company_id", "coupon_id", "order_id") WHERE "returned_at" IS NULL;

-- Few uses are given back, and they are looked for by when that was.
CREATE INDEX "coupon_redemptions_returned_at_idx" ON "coupon_redemptions"("company_id", "returned_at", "id") WHERE "returned_at" IS NOT NULL;

-- Reports tell of a client's uses which one was the first.
CREATE INDEX "coupon_use_facts_new_idx" ON "coupon_use_facts"("company_id", "client_id", "use_id") WHERE "is_new";

-- The next code that can be assigned to a client.
CREATE INDEX "coupon_codes_free_idx" ON "coupon_codes"("company_id", "coupon_id", "id") WHERE "client_id" IS NULL AND "used_at" IS NULL AND "voided_at" IS NULL;

-- The use of a gift card by the movement that credited it, which is of one use.
CREATE UNIQUE INDEX "coupon_redemptions_movement_key" ON "coupon_redemptions"("company_id", "movement_id") WHERE "movement_id" IS NOT NULL;

-- Few coupons are deleted, and they are listed by when that was.
CREATE INDEX "coupons_company_id_deleted_at_id_idx" ON "coupons"("company_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
