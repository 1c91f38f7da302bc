-- A deleted company gives its domains free, and a restored one has to find them free again.
CREATE UNIQUE INDEX "companies_domain_key" ON "companies"(lower("domain")) WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "companies_custom_domain_host_key" ON "companies"("custom_domain_host") WHERE "deleted_at" IS NULL;
