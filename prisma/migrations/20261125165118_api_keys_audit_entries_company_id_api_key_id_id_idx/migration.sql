CREATE INDEX CONCURRENTLY "audit_entries_company_id_api_key_id_id_idx" ON public.audit_entries USING btree (company_id, api_key_id, id) WHERE (api_key_id IS NOT NULL);
