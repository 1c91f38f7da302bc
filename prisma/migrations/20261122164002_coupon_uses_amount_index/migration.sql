-- Uses of all coupons are listed by what they gave.
CREATE INDEX CONCURRENTLY "coupon_redemptions_company_id_amount_e2_id_idx" ON "coupon_redemptions"("company_id", "amount_e2", "id");
