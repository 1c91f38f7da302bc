-- The oldest entries of all companies, for their removal by age.
CREATE INDEX CONCURRENTLY "audit_entries_created_at_idx" ON "audit_entries"("created_at");
