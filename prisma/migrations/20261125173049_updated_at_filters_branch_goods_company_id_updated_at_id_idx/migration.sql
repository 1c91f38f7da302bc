CREATE INDEX CONCURRENTLY "branch_goods_company_id_updated_at_id_idx" ON "branch_goods"("company_id", "updated_at", "id");
