-- A client by its UUID.
CREATE UNIQUE INDEX CONCURRENTLY "clients_company_id_uuid_key" ON "clients"("company_id", "uuid");
