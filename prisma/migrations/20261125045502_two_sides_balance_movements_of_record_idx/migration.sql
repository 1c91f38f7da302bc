CREATE INDEX CONCURRENTLY "balance_movements_of_record_idx" ON public.balance_movements USING btree (company_id, related_type, related_id, created_at, id) WHERE (related_type IS NOT NULL);
