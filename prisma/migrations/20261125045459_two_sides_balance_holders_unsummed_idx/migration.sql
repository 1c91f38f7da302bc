CREATE INDEX CONCURRENTLY "balance_holders_unsummed_idx" ON public.balance_holders USING btree (company_id) WHERE (credit_e2 IS NULL);
