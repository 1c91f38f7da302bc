CREATE INDEX CONCURRENTLY "properties_texts_near_idx" ON "properties" USING gin ("company_id", ("id" >> 10), ("id" >> 14), folded("name") gin_trgm_ops);
