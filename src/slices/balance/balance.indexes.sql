-- A movement is reversed once, and a request posts once.
CREATE UNIQUE INDEX "balance_movements_reverses_key" ON "balance_movements"("company_id", "reverses_id") WHERE "reverses_id" IS NOT NULL;
CREATE UNIQUE INDEX "balance_movements_identity_key" ON "balance_movements"("company_id", "identity") WHERE "identity" IS NOT NULL;

-- Debts are looked for among holders that owe. The flag changes seldom, so that most postings touch no index of the holder.
CREATE INDEX "balance_holders_owing_idx" ON "balance_holders"("company_id", "type", "key") WHERE "owes";

-- Movements about records alone: those of one record, and those that a filter names by its kind or its id.
CREATE INDEX "balance_movements_of_record_idx" ON "balance_movements"("company_id", "related_type", "related_id", "created_at", "id") WHERE "related_type" IS NOT NULL;

-- Movements from before all had counterparts, and the sides that a job gave them, one for each: they have its moment. Holders
-- whose credits the job has to sum have no index: each posting changes the credits, and an index that names them, in its
-- condition too, would be entered anew each time.
CREATE UNIQUE INDEX "balance_movements_single_key" ON "balance_movements"("company_id", "counterpart_id", "created_at") WHERE "counterpart_id" IS NULL OR "actor_kind" = 'completion';
