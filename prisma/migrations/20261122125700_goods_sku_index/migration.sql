-- CreateIndex
CREATE INDEX CONCURRENTLY "goods_company_id_branch_group_id_sku_name_idx" ON "goods"("company_id", "branch_group_id", "sku", "name");
