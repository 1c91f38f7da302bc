CREATE INDEX CONCURRENTLY "good_properties_texts_near_idx" ON "good_properties" USING gin ("company_id", ("id" >> 10), ("id" >> 14), folded("display_name") gin_trgm_ops);
