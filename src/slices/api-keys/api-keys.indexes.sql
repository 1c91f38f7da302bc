-- A request finds its key by the secret from before a rotation, too.
CREATE UNIQUE INDEX "api_keys_company_id_previous_hash_key" ON "api_keys"("company_id", "previous_hash") WHERE "previous_hash" IS NOT NULL;
