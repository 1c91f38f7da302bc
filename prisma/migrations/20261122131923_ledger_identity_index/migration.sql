-- A request posts once.
CREATE UNIQUE INDEX CONCURRENTLY "balance_movements_identity_key" ON "balance_movements"("company_id", "identity") WHERE "identity" IS NOT NULL;
