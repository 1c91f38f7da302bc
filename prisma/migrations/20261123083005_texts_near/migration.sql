-- The indexes that know the blocks of ids take the place of those that do not.
DROP INDEX "goods_texts_idx", "properties_texts_idx", "clients_texts_idx", "coupons_texts_idx", "good_properties_texts_idx";
ALTER INDEX "goods_texts_near_idx" RENAME TO "goods_texts_idx";
ALTER INDEX "properties_texts_near_idx" RENAME TO "properties_texts_idx";
ALTER INDEX "clients_texts_near_idx" RENAME TO "clients_texts_idx";
ALTER INDEX "coupons_texts_near_idx" RENAME TO "coupons_texts_idx";
ALTER INDEX "good_properties_texts_near_idx" RENAME TO "good_properties_texts_idx";
