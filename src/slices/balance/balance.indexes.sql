-- A movement is reversed once, and a request posts once.
CREATE UNIQUE INDEX "balance_movements_reverses_key" ON "balance_movements"("company_id", "reverses_id") WHERE "reverses_id" IS NOT NULL;
CREATE UNIQUE INDEX "balance_movements_identity_key" ON "balance_movements"("company_id", "identity") WHERE "identity" IS NOT NULL;

-- Debts are looked for among holders that owe. The flag changes seldom, so that most postings touch no index of the holder.
CREATE INDEX "balance_holders_owing_idx" ON "balance_holders"("company_id", "type", "key") WHERE "owes";
