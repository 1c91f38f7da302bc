-- The trail is filtered by the key that acted; few entries have one.
CREATE INDEX "audit_entries_company_id_api_key_id_id_idx" ON "audit_entries"("company_id", "api_key_id", "id") WHERE "api_key_id" IS NOT NULL;
