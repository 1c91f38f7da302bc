DROP INDEX IF EXISTS goods_filters_idx;
ALTER INDEX "goods_filters_idx_new" RENAME TO "goods_filters_idx";
