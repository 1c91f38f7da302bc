-- CreateIndex
CREATE INDEX "coupon_holds_company_id_code_idx" ON "coupon_holds"("company_id", "code");

-- AddForeignKey
ALTER TABLE "coupon_holds" ADD CONSTRAINT "coupon_holds_company_id_code_fkey" FOREIGN KEY ("company_id", "code") REFERENCES "coupon_codes"("company_id", "code") ON DELETE CASCADE ON UPDATE NO ACTION;
