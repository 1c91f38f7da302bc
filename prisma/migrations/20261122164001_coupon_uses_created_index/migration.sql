-- Uses of all coupons are listed by when they were made.
CREATE INDEX CONCURRENTLY "coupon_redemptions_company_id_created_at_id_idx" ON "coupon_redemptions"("company_id", "created_at", "id");
