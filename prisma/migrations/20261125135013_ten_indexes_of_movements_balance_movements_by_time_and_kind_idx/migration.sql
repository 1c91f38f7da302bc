CREATE INDEX CONCURRENTLY "balance_movements_by_time_and_kind_idx" ON "balance_movements"("company_id", "holder_type", "holder_key", "currency_iso", "created_at", "id", "related_type");
