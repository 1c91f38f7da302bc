CREATE INDEX CONCURRENTLY "goods_filters_idx_new" ON public.goods USING gin (company_id, ((id >> 10)), ((id >> 14)), folded(name) gin_trgm_ops, folded(sku) gin_trgm_ops, folded(eta) gin_trgm_ops, folded(unit) gin_trgm_ops, folded(limit_type) gin_trgm_ops, folded(weight) gin_trgm_ops, folded(label) gin_trgm_ops, folded_texts(keywords), folded_texts(barcodes), type, rating_sum, rating_count, eta_config_id, provider_fee_e2, provider_fee_prc, notes_enabled, max_quantity, good_type_id, cardinality(picture_urls), (
CASE
    WHEN (picture_urls <> '{}'::text[]) THEN folded(name)
    ELSE NULL::text
END) gin_trgm_ops, sought_words(search_words));
