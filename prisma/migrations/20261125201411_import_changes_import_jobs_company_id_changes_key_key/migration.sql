CREATE UNIQUE INDEX CONCURRENTLY "import_jobs_company_id_changes_key_key" ON "import_jobs"("company_id", "changes_key");
