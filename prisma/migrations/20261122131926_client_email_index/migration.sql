-- A client by its e-mail address, in any case.
CREATE INDEX CONCURRENTLY "clients_company_id_lower_email_idx" ON "clients"("company_id", lower("email")) WHERE "deleted_at" IS NULL;
