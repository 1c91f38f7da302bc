CREATE INDEX CONCURRENTLY "balance_movements_company_id_amount_e2_id_idx" ON "balance_movements"("company_id", "amount_e2", "id");
