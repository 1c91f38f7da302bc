CREATE INDEX CONCURRENTLY "coupon_codes_free_idx" ON public.coupon_codes USING btree (company_id, coupon_id, id) WHERE ((client_id IS NULL) AND (used_at IS NULL) AND (voided_at IS NULL));
