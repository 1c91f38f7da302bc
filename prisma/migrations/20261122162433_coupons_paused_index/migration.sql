-- Coupons that are paused are listed.
CREATE INDEX CONCURRENTLY "coupons_company_id_paused_at_id_idx" ON "coupons"("company_id", "paused_at", "id");
