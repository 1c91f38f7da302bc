-- At most one address of a client is selected.
CREATE UNIQUE INDEX "client_addresses_company_id_client_id_selected_key" ON "client_addresses"("company_id", "client_id") WHERE "is_selected";
