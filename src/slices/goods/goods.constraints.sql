-- Every row keeps these checks, whoever writes it.

ALTER TABLE "client_favorites"
    ADD CONSTRAINT "client_favorites_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "good_types"
    ADD CONSTRAINT "good_types_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "good_tags"
    ADD CONSTRAINT "good_tags_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "search_synonyms"
    ADD CONSTRAINT "search_synonyms_texts_check" CHECK (cardinality("texts") BETWEEN 2 AND 20);

ALTER TABLE "good_repricings"
    ADD CONSTRAINT "good_repricings_change_check" CHECK (num_nonnulls("percent_e2", "amount_e2") = 1 AND "percent_e2" >= -10000),
    ADD CONSTRAINT "good_repricings_round_to_e2_check" CHECK ("round_to_e2" >= 1),
    ADD CONSTRAINT "good_repricings_status_check" CHECK ("status" IN ('queued', 'running', 'finished'));

ALTER TABLE "materials"
    ADD CONSTRAINT "materials_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "materials_unit_check" CHECK (char_length("unit") <= 16);

ALTER TABLE "categories"
    ADD CONSTRAINT "categories_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "categories_in_order_check" CHECK ("in_order" >= 0),
    ADD CONSTRAINT "categories_parent_id_check" CHECK ("parent_id" <> "id");

ALTER TABLE "branch_goods"
    ADD CONSTRAINT "branch_goods_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "branch_goods_stock_check" CHECK ("stock" >= 0);

ALTER TABLE "goods"
    ADD CONSTRAINT "goods_name_check" CHECK (char_length("name") <= 80),
    ADD CONSTRAINT "goods_short_details_check" CHECK (char_length("short_details") <= 64),
    ADD CONSTRAINT "goods_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "goods_compare_at_price_e2_check" CHECK ("compare_at_price_e2" >= 0),
    ADD CONSTRAINT "goods_type_check" CHECK ("type" >= 0),
    ADD CONSTRAINT "goods_rating_check" CHECK ("rating_e2" >= 0 AND "rating_sum" >= 0 AND "rating_count" >= 0),
    ADD CONSTRAINT "goods_eta_check" CHECK (char_length("eta") <= 32),
    ADD CONSTRAINT "goods_provider_fee_prc_check" CHECK ("provider_fee_prc" BETWEEN 0 AND 1),
    ADD CONSTRAINT "goods_sku_check" CHECK (char_length("sku") <= 16),
    ADD CONSTRAINT "goods_unit_check" CHECK (char_length("unit") <= 16),
    ADD CONSTRAINT "goods_limit_type_check" CHECK ("limit_type" ~ '^(per_order|per_day|per_week|per_month|per_hours:[1-9][0-9]*)$'),
    ADD CONSTRAINT "goods_unit_config_check" CHECK (jsonb_typeof("unit_config") = 'object'),
    ADD CONSTRAINT "goods_weight_check" CHECK (char_length("weight") <= 16),
    ADD CONSTRAINT "goods_label_check" CHECK (char_length("label") <= 32),
    ADD CONSTRAINT "goods_lists_check" CHECK (num_nulls("picture_urls", "vertical_picture_urls", "keywords", "barcodes") = 0),
    ADD CONSTRAINT "goods_pictures_check" CHECK (cardinality("picture_urls") <= 20 AND cardinality("vertical_picture_urls") <= 20);

ALTER TABLE "good_materials"
    ADD CONSTRAINT "good_materials_quantity_real_check" CHECK ("quantity_real" >= 1),
    ADD CONSTRAINT "good_materials_extras_check" CHECK (jsonb_typeof("extras") = 'array');

-- A good owns the files of its pictures. Most goods are written without any, which costs no call.
CREATE TRIGGER "goods_new_pictures" AFTER INSERT ON "goods" FOR EACH ROW
    WHEN (cardinality(NEW."picture_urls") + cardinality(NEW."vertical_picture_urls") > 0)
    EXECUTE FUNCTION "own_files"('picture_urls', 'vertical_picture_urls');
CREATE TRIGGER "goods_pictures" AFTER DELETE OR UPDATE OF "picture_urls", "vertical_picture_urls" ON "goods" FOR EACH ROW
    EXECUTE FUNCTION "own_files"('picture_urls', 'vertical_picture_urls');

-- Words of goods that the company has had since: words that are gone find nothing and do no harm.
CREATE TRIGGER "goods_words_of_new" AFTER INSERT ON "goods" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT
    EXECUTE FUNCTION "keep_good_words"();
CREATE TRIGGER "goods_words_of_changed" AFTER UPDATE ON "goods" REFERENCING OLD TABLE AS "replaced" NEW TABLE AS "written" FOR EACH STATEMENT
    EXECUTE FUNCTION "keep_good_words"();
