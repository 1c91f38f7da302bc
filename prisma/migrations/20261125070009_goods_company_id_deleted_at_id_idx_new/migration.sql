CREATE INDEX CONCURRENTLY "goods_company_id_deleted_at_id_idx_new" ON public.goods USING btree (company_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
