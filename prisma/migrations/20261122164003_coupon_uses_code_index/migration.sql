-- A use is found by its code.
CREATE INDEX CONCURRENTLY "coupon_redemptions_company_id_code_id_idx" ON "coupon_redemptions"("company_id", "code", "id");
