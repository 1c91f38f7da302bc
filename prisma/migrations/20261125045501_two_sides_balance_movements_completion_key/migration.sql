CREATE UNIQUE INDEX CONCURRENTLY "balance_movements_completion_key" ON public.balance_movements USING btree (company_id, counterpart_id) WHERE (actor_kind = 'completion'::text);
