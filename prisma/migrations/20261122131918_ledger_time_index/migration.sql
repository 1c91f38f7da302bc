-- Statements, balances of the past and pages of a holder go by time.
CREATE INDEX CONCURRENTLY "balance_movements_by_time_idx" ON "balance_movements"("company_id", "holder_type", "holder_key", "currency_iso", "created_at", "id");
