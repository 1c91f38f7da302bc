CREATE INDEX CONCURRENTLY "chat_rooms_filters_idx" ON public.chat_rooms USING gin (company_id, folded(name) gin_trgm_ops, target_type);
