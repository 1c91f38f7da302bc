CREATE INDEX CONCURRENTLY "services_filters_idx" ON public.services USING gin (company_id, folded(name) gin_trgm_ops, type);
