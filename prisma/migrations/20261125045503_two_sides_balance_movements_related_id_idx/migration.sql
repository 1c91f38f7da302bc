CREATE INDEX CONCURRENTLY "balance_movements_related_id_idx" ON public.balance_movements USING btree (company_id, related_id) WHERE (related_type IS NOT NULL);
