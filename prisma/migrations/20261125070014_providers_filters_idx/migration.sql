CREATE INDEX CONCURRENTLY "providers_filters_idx" ON public.providers USING gin (company_id, folded(name) gin_trgm_ops);
