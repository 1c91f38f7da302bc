-- A client is found by its e-mail in any case.
CREATE INDEX "clients_company_id_email_idx" ON "clients"("company_id", lower("email")) WHERE "deleted_at" IS NULL AND "email" IS NOT NULL;

-- Lists show clients that are not deleted.
CREATE INDEX "clients_company_id_name_id_idx" ON "clients"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_email_id_idx" ON "clients"("company_id", "email", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_phone_id_idx" ON "clients"("company_id", "phone", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_registered_at_id_idx" ON "clients"("company_id", "registered_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_created_at_id_idx" ON "clients"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
