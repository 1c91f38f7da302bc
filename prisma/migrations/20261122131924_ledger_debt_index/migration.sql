-- Holders that owe. The flag changes seldom, so that most postings touch no index of the holder.
CREATE INDEX CONCURRENTLY "balance_holders_owing_idx" ON "balance_holders"("company_id", "type", "key") WHERE "owes";
