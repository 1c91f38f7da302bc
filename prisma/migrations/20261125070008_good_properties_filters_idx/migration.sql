CREATE INDEX CONCURRENTLY "good_properties_filters_idx" ON public.good_properties USING gin (company_id, ((id >> 10)), ((id >> 14)), folded(display_name) gin_trgm_ops, options, disabled, updated_at);
