CREATE INDEX CONCURRENTLY "coupon_redemptions_company_id_client_id_coupon_id_idx" ON "coupon_redemptions"("company_id", "client_id", "coupon_id");
