CREATE INDEX CONCURRENTLY "properties_filters_idx" ON public.properties USING gin (company_id, ((id >> 10)), ((id >> 14)), folded(name) gin_trgm_ops, type, disabled);
