-- An order has one use of a coupon that is not given back.
CREATE UNIQUE INDEX CONCURRENTLY "coupon_redemptions_order_key" ON "coupon_redemptions"("company_id", "coupon_id", "order_id") WHERE "returned_at" IS NULL;
