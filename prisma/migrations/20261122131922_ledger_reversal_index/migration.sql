-- A movement is reversed once.
CREATE UNIQUE INDEX CONCURRENTLY "balance_movements_reverses_key" ON "balance_movements"("company_id", "reverses_id") WHERE "reverses_id" IS NOT NULL;
