-- Coupons are listed in the order of their status.
CREATE INDEX CONCURRENTLY "coupons_company_id_status_id_idx" ON "coupons"("company_id", "status", "id");
