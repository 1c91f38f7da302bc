-- The platform finds a branch by its id alone.
CREATE INDEX CONCURRENTLY "branches_id_idx" ON "branches"("id");
