CREATE INDEX CONCURRENTLY "orders_company_id_updated_at_id_idx" ON "orders"("company_id", "updated_at", "id");
