-- AlterTable
ALTER TABLE "coupon_codes" ADD COLUMN     "client_id" INTEGER;

-- AddForeignKey
ALTER TABLE "coupon_codes" ADD CONSTRAINT "coupon_codes_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
