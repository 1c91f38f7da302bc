CREATE INDEX CONCURRENTLY "coupons_texts_near_idx" ON "coupons" USING gin ("company_id", ("id" >> 10), ("id" >> 14), folded("name") gin_trgm_ops, folded("promo_code") gin_trgm_ops);
