-- CreateIndex
CREATE INDEX CONCURRENTLY "password_setup_tokens_company_id_issued_by_id_idx" ON "password_setup_tokens"("company_id", "issued_by_id");
