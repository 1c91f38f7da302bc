-- Lists show goods that are not deleted, in the order of these fields. An import looks for the goods of a shop by their names and skus.
CREATE INDEX "goods_company_id_name_id_idx" ON "goods"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_price_e2_id_idx" ON "goods"("company_id", "price_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_e2_id_idx" ON "goods"("company_id", "rating_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_sku_id_idx" ON "goods"("company_id", "sku", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_created_at_id_idx" ON "goods"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_updated_at_id_idx" ON "goods"("company_id", "updated_at", "id") WHERE "deleted_at" IS NULL;

-- Few goods are deleted, and they are listed by when that was.
CREATE INDEX "goods_company_id_deleted_at_id_idx" ON "goods"("company_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;

-- The list's filters; names of goods with pictures, for suggestions of pictures; and what the search looks for. One index
-- takes less room and less work than three.
CREATE INDEX "goods_filters_idx" ON "goods" USING gin (
    "company_id", ("id" >> 10), ("id" >> 14),
    folded("name") gin_trgm_ops, folded("sku") gin_trgm_ops, folded("eta") gin_trgm_ops, folded("unit") gin_trgm_ops,
    folded("limit_type") gin_trgm_ops, folded("weight") gin_trgm_ops, folded("label") gin_trgm_ops,
    folded_texts("keywords"), folded_texts("barcodes"),
    "type", "rating_sum", "rating_count", "eta_config_id", "provider_fee_e2", "provider_fee_prc", "notes_enabled", "max_quantity",
    "good_type_id", cardinality("picture_urls"),
    (CASE WHEN "picture_urls" <> '{}' THEN folded("name") END) gin_trgm_ops, sought_words("search_words"));

-- Very many words are kept apart, so the planner needs to know more of them.
ALTER TABLE "goods" ALTER COLUMN "search_words" SET STATISTICS 500;

-- Words that are like a typed one: all are looked for by their beginnings in the order of bytes, those without digits (the others
-- begin with "#") also by parts and with one letter left out. The schema's own index has another order.
DROP INDEX "good_words_company_id_word_idx";
CREATE INDEX "good_words_company_id_word_idx" ON "good_words"("company_id", "word" COLLATE "C");
CREATE INDEX "good_words_like_idx" ON "good_words" USING gin ("company_id", "word" gin_trgm_ops, one_left_out("word")) WHERE "word" !~ '^#';

-- A search finds the groups of synonyms that have words of its text.
CREATE INDEX "search_synonyms_texts_idx" ON "search_synonyms" USING gin ("company_id", search_phrases("texts"));
