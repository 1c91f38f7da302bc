CREATE INDEX CONCURRENTLY "balance_movements_single_idx" ON public.balance_movements USING btree (company_id, created_at, id) WHERE (counterpart_id IS NULL);
