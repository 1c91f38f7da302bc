CREATE INDEX CONCURRENTLY "clients_company_id_external_id_id_idx" ON public.clients USING btree (company_id, external_id, id) WHERE (deleted_at IS NULL);
