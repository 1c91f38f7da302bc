CREATE INDEX CONCURRENTLY "coupons_company_id_campaign_id_id_idx" ON "coupons"("company_id", "campaign_id", "id");
