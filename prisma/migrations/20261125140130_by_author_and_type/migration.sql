CREATE INDEX CONCURRENTLY "balance_movements_by_author_and_type_idx" ON "balance_movements"("company_id", "author_id", "type", "created_at", "id");
