-- The movements of one record, such as an order.
CREATE INDEX CONCURRENTLY "balance_movements_of_related_idx" ON "balance_movements"("company_id", "related_type", "related_id", "created_at", "id");
