-- Lists show goods that are not deleted.
CREATE INDEX "goods_company_id_name_id_idx" ON "goods"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_price_e2_id_idx" ON "goods"("company_id", "price_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_type_id_idx" ON "goods"("company_id", "type", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_e2_id_idx" ON "goods"("company_id", "rating_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_sum_id_idx" ON "goods"("company_id", "rating_sum", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_count_id_idx" ON "goods"("company_id", "rating_count", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_eta_id_idx" ON "goods"("company_id", "eta", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_eta_config_id_id_idx" ON "goods"("company_id", "eta_config_id", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_provider_fee_e2_id_idx" ON "goods"("company_id", "provider_fee_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_provider_fee_prc_id_idx" ON "goods"("company_id", "provider_fee_prc", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_sku_id_idx" ON "goods"("company_id", "sku", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_notes_enabled_id_idx" ON "goods"("company_id", "notes_enabled", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_unit_id_idx" ON "goods"("company_id", "unit", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_max_quantity_id_idx" ON "goods"("company_id", "max_quantity", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_limit_type_id_idx" ON "goods"("company_id", "limit_type", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_weight_id_idx" ON "goods"("company_id", "weight", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_label_id_idx" ON "goods"("company_id", "label", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_created_at_id_idx" ON "goods"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_updated_at_id_idx" ON "goods"("company_id", "updated_at", "id") WHERE "deleted_at" IS NULL;

-- Suggestions of pictures look for goods by a like name or the same barcode, among those that have pictures.
CREATE INDEX "goods_pictured_idx" ON "goods" USING gin ("company_id", folded("name") gin_trgm_ops, "barcodes") WHERE "picture_urls" <> '{}';

-- The search looks for goods by their words. Very many words are kept apart, so the planner needs to know more of them.
CREATE INDEX "goods_search_words_idx" ON "goods" USING gin ("search_words") WHERE "deleted_at" IS NULL;
ALTER TABLE "goods" ALTER COLUMN "search_words" SET STATISTICS 500;

-- Words that are like a typed one: all are looked for by their beginnings in the order of bytes, those with digits (which begin
-- with "#") by their ends too, the others by parts and with one letter left out. The schema's own index has another order.
DROP INDEX "good_words_company_id_word_idx";
CREATE INDEX "good_words_company_id_word_idx" ON "good_words"("company_id", "word" COLLATE "C");
CREATE INDEX "good_words_company_id_reverse_idx" ON "good_words"("company_id", reverse("word") text_pattern_ops) WHERE "word" ~ '^#';
CREATE INDEX "good_words_like_idx" ON "good_words" USING gin ("company_id", "word" gin_trgm_ops, one_left_out("word")) WHERE "word" !~ '^#';
