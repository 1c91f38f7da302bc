-- A job looks at files that no row uses.
CREATE INDEX "stored_files_unowned_idx" ON "stored_files"("since") WHERE "state" <> 'used';
