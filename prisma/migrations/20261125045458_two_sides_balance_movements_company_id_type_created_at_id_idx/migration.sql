CREATE INDEX CONCURRENTLY "balance_movements_company_id_type_created_at_id_idx" ON "balance_movements"("company_id", "type", "created_at", "id");
