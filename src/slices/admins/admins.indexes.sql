-- A deleted admin gives its e-mail free, and a restored one has to find it free again.
CREATE UNIQUE INDEX "admins_company_id_email_key" ON "admins"("company_id", lower("email")) WHERE "deleted_at" IS NULL;

-- A company has one owner, and a client has one main admin.
CREATE UNIQUE INDEX "admins_company_id_owner_key" ON "admins"("company_id") WHERE "is_owner" AND "deleted_at" IS NULL;
CREATE UNIQUE INDEX "client_admins_company_id_client_id_main_key" ON "client_admins"("company_id", "client_id") WHERE "is_main";

-- A login without a domain looks for the companies that know the e-mail.
CREATE INDEX "admins_email_idx" ON "admins"(lower("email")) WHERE "deleted_at" IS NULL;

-- Lists show admins that are not deleted.
CREATE INDEX "admins_company_id_name_id_idx" ON "admins"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "admins_company_id_created_at_id_idx" ON "admins"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
