-- CreateIndex
CREATE INDEX "company_events_company_id_updated_at_id_idx" ON "company_events"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "coupon_redemptions_company_id_coupon_id_created_at_id_idx" ON "coupon_redemptions"("company_id", "coupon_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_updated_at_id_idx" ON "coupons"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_price_e2_id_idx" ON "coupons"("company_id", "price_e2", "id");
