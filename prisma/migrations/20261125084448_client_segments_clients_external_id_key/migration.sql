CREATE UNIQUE INDEX CONCURRENTLY "clients_external_id_key" ON public.clients USING btree (company_id, external_id) WHERE (deleted_at IS NULL);
