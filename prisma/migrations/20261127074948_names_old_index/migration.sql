DROP INDEX IF EXISTS goods_filters_idx;
ALTER INDEX "goods_filters_idx_new" RENAME TO "goods_filters_idx";
COMMENT ON INDEX goods_filters_idx IS 'list Good: filters by name, type, rating_sum, rating_count, eta, eta_config_id, provider_fee_e2, provider_fee_prc, sku, notes_enabled, unit, max_quantity, limit_type, keywords, barcodes, weight, label, good_type_id; relation by good_type_id; The list''s filters; names of goods with pictures, for suggestions of pictures; and what the search looks for. One index takes less room and less work than three.';
