-- Uses of all coupons are listed newest first.
CREATE INDEX CONCURRENTLY "coupon_redemptions_company_id_id_idx" ON "coupon_redemptions"("company_id", "id");
