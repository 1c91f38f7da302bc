CREATE INDEX CONCURRENTLY "coupon_codes_company_id_client_id_coupon_id_idx" ON "coupon_codes"("company_id", "client_id", "coupon_id");
