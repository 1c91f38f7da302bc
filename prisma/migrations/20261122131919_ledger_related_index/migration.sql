-- The movements of a holder that are about one kind of record.
CREATE INDEX CONCURRENTLY "balance_movements_by_related_idx" ON "balance_movements"("company_id", "holder_type", "holder_key", "currency_iso", "related_type", "created_at", "id");
