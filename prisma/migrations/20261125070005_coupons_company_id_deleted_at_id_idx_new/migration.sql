CREATE INDEX CONCURRENTLY "coupons_company_id_deleted_at_id_idx_new" ON public.coupons USING btree (company_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
