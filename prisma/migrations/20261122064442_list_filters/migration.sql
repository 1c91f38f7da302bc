-- Comparing texts without regard to accents, and indexes for it.
CREATE EXTENSION IF NOT EXISTS "unaccent";
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- CreateIndex
CREATE INDEX "admin_types_company_id_default_key_id_idx" ON "admin_types"("company_id", "default_key", "id");

-- CreateIndex
CREATE INDEX "admin_types_company_id_code_id_idx" ON "admin_types"("company_id", "code", "id");

-- CreateIndex
CREATE INDEX "branch_good_properties_company_id_disabled_id_idx" ON "branch_good_properties"("company_id", "disabled", "id");

-- CreateIndex
CREATE INDEX "branch_goods_company_id_disabled_id_idx" ON "branch_goods"("company_id", "disabled", "id");

-- CreateIndex
CREATE INDEX "branch_groups_company_id_enabled_id_idx" ON "branch_groups"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "branches_company_id_enabled_id_idx" ON "branches"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "cities_company_id_enabled_id_idx" ON "cities"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "company_events_company_id_type_id_idx" ON "company_events"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "coupon_redemptions_company_id_coupon_id_code_id_idx" ON "coupon_redemptions"("company_id", "coupon_id", "code", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_promo_code_id_idx" ON "coupons"("company_id", "promo_code", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_type_id_idx" ON "coupons"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_price_prc_id_idx" ON "coupons"("company_id", "price_prc", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_min_purchase_e2_id_idx" ON "coupons"("company_id", "min_purchase_e2", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_total_count_id_idx" ON "coupons"("company_id", "total_count", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_applies_to_id_idx" ON "coupons"("company_id", "applies_to", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_target_type_id_idx" ON "coupons"("company_id", "target_type", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_deleted_at_id_idx" ON "coupons"("company_id", "deleted_at", "id");

-- CreateIndex
CREATE INDEX "fleets_company_id_enabled_id_idx" ON "fleets"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "geofences_company_id_enabled_id_idx" ON "geofences"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_display_name_id_idx" ON "good_properties"("company_id", "display_name", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_options_id_idx" ON "good_properties"("company_id", "options", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_disabled_id_idx" ON "good_properties"("company_id", "disabled", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_updated_at_id_idx" ON "good_properties"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_type_id_idx" ON "properties"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_disabled_id_idx" ON "properties"("company_id", "disabled", "id");

-- CreateIndex
CREATE INDEX "providers_company_id_enabled_id_idx" ON "providers"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "service_charges_company_id_enabled_id_idx" ON "service_charges"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "services_company_id_type_id_idx" ON "services"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "services_company_id_enabled_id_idx" ON "services"("company_id", "enabled", "id");

-- Writes a text in lower case without accents, so that texts are compared without regard to both. It is immutable as
-- long as the rules of "unaccent" are not changed; indexes on it have to be rebuilt when they are.
CREATE OR REPLACE FUNCTION "folded"(_text text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT lower(public.unaccent('public.unaccent', _text))
$$;

-- Folds each text of a list (see "folded").
CREATE OR REPLACE FUNCTION "folded_texts"(_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(public.folded(item)), '{}') FROM unnest(_texts) AS item
$$;

-- Escapes a text so that LIKE takes it literally.
CREATE OR REPLACE FUNCTION "like_literal"(_text text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT replace(replace(replace(_text, '\', '\\'), '%', '\%'), '_', '\_')
$$;

-- Hand-written from here on: what Prisma's schema language cannot say.

-- Fields of rows that are deleted softly.
CREATE INDEX "goods_company_id_rating_sum_id_idx" ON "goods"("company_id", "rating_sum", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_count_id_idx" ON "goods"("company_id", "rating_count", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_eta_id_idx" ON "goods"("company_id", "eta", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_eta_config_id_id_idx" ON "goods"("company_id", "eta_config_id", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_provider_fee_e2_id_idx" ON "goods"("company_id", "provider_fee_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_provider_fee_prc_id_idx" ON "goods"("company_id", "provider_fee_prc", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_notes_enabled_id_idx" ON "goods"("company_id", "notes_enabled", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_unit_id_idx" ON "goods"("company_id", "unit", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_max_quantity_id_idx" ON "goods"("company_id", "max_quantity", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_limit_type_id_idx" ON "goods"("company_id", "limit_type", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_weight_id_idx" ON "goods"("company_id", "weight", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "admins_company_id_email_id_idx" ON "admins"("company_id", "email", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "admins_company_id_phone_id_idx" ON "admins"("company_id", "phone", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "admins_company_id_status_id_idx" ON "admins"("company_id", "status", "id") WHERE "deleted_at" IS NULL;

-- Whoever asks for deleted rows gets them among the others.
DROP INDEX "goods_company_id_deleted_at_id_idx";
CREATE INDEX "goods_company_id_deleted_at_id_idx" ON "goods"("company_id", "deleted_at", "id");

-- Parts of texts, without regard to case and accents.
CREATE INDEX "admin_types_texts_idx" ON "admin_types" USING gin ("company_id", folded("name") gin_trgm_ops, folded("default_key") gin_trgm_ops);
CREATE INDEX "admins_texts_idx" ON "admins" USING gin ("company_id", folded("name") gin_trgm_ops, folded("email") gin_trgm_ops, folded("phone") gin_trgm_ops) WHERE "deleted_at" IS NULL;
CREATE INDEX "branch_categories_texts_idx" ON "branch_categories" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "branch_groups_texts_idx" ON "branch_groups" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "branches_texts_idx" ON "branches" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "categories_texts_idx" ON "categories" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "cities_texts_idx" ON "cities" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "clients_texts_idx" ON "clients" USING gin ("company_id", folded("name") gin_trgm_ops, folded("email") gin_trgm_ops, folded("phone") gin_trgm_ops) WHERE "deleted_at" IS NULL;
CREATE INDEX "company_events_texts_idx" ON "company_events" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "coupons_texts_idx" ON "coupons" USING gin ("company_id", folded("name") gin_trgm_ops, folded("promo_code") gin_trgm_ops);
CREATE INDEX "fleets_texts_idx" ON "fleets" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "geofences_texts_idx" ON "geofences" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "good_properties_texts_idx" ON "good_properties" USING gin ("company_id", folded("display_name") gin_trgm_ops);
CREATE INDEX "good_tags_texts_idx" ON "good_tags" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "good_types_texts_idx" ON "good_types" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "goods_texts_idx" ON "goods" USING gin ("company_id", folded("name") gin_trgm_ops, folded("sku") gin_trgm_ops, folded("label") gin_trgm_ops, folded("eta") gin_trgm_ops, folded("unit") gin_trgm_ops, folded("limit_type") gin_trgm_ops, folded("weight") gin_trgm_ops, folded_texts("keywords"), folded_texts("barcodes")) WHERE "deleted_at" IS NULL;
CREATE INDEX "materials_texts_idx" ON "materials" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "properties_texts_idx" ON "properties" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "providers_texts_idx" ON "providers" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "service_charges_texts_idx" ON "service_charges" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE INDEX "services_texts_idx" ON "services" USING gin ("company_id", folded("name") gin_trgm_ops);

-- With statistics of what is compared the planner tells rare parts of texts from frequent ones: the first are looked up, the
-- others met soon enough on the way along an order.
CREATE STATISTICS "admin_types_name_folded" ON (folded("name")) FROM "admin_types";
ALTER STATISTICS "admin_types_name_folded" SET STATISTICS 200;
CREATE STATISTICS "admin_types_default_key_folded" ON (folded("default_key")) FROM "admin_types";
ALTER STATISTICS "admin_types_default_key_folded" SET STATISTICS 200;
CREATE STATISTICS "admins_name_folded" ON (folded("name")) FROM "admins";
ALTER STATISTICS "admins_name_folded" SET STATISTICS 200;
CREATE STATISTICS "admins_email_folded" ON (folded("email")) FROM "admins";
ALTER STATISTICS "admins_email_folded" SET STATISTICS 200;
CREATE STATISTICS "admins_phone_folded" ON (folded("phone")) FROM "admins";
ALTER STATISTICS "admins_phone_folded" SET STATISTICS 200;
CREATE STATISTICS "branch_categories_name_folded" ON (folded("name")) FROM "branch_categories";
ALTER STATISTICS "branch_categories_name_folded" SET STATISTICS 200;
CREATE STATISTICS "branch_groups_name_folded" ON (folded("name")) FROM "branch_groups";
ALTER STATISTICS "branch_groups_name_folded" SET STATISTICS 200;
CREATE STATISTICS "branches_name_folded" ON (folded("name")) FROM "branches";
ALTER STATISTICS "branches_name_folded" SET STATISTICS 200;
CREATE STATISTICS "categories_name_folded" ON (folded("name")) FROM "categories";
ALTER STATISTICS "categories_name_folded" SET STATISTICS 200;
CREATE STATISTICS "cities_name_folded" ON (folded("name")) FROM "cities";
ALTER STATISTICS "cities_name_folded" SET STATISTICS 200;
CREATE STATISTICS "clients_name_folded" ON (folded("name")) FROM "clients";
ALTER STATISTICS "clients_name_folded" SET STATISTICS 200;
CREATE STATISTICS "clients_email_folded" ON (folded("email")) FROM "clients";
ALTER STATISTICS "clients_email_folded" SET STATISTICS 200;
CREATE STATISTICS "clients_phone_folded" ON (folded("phone")) FROM "clients";
ALTER STATISTICS "clients_phone_folded" SET STATISTICS 200;
CREATE STATISTICS "company_events_name_folded" ON (folded("name")) FROM "company_events";
ALTER STATISTICS "company_events_name_folded" SET STATISTICS 200;
CREATE STATISTICS "coupons_name_folded" ON (folded("name")) FROM "coupons";
ALTER STATISTICS "coupons_name_folded" SET STATISTICS 200;
CREATE STATISTICS "coupons_promo_code_folded" ON (folded("promo_code")) FROM "coupons";
ALTER STATISTICS "coupons_promo_code_folded" SET STATISTICS 200;
CREATE STATISTICS "fleets_name_folded" ON (folded("name")) FROM "fleets";
ALTER STATISTICS "fleets_name_folded" SET STATISTICS 200;
CREATE STATISTICS "geofences_name_folded" ON (folded("name")) FROM "geofences";
ALTER STATISTICS "geofences_name_folded" SET STATISTICS 200;
CREATE STATISTICS "good_properties_display_name_folded" ON (folded("display_name")) FROM "good_properties";
ALTER STATISTICS "good_properties_display_name_folded" SET STATISTICS 200;
CREATE STATISTICS "good_tags_name_folded" ON (folded("name")) FROM "good_tags";
ALTER STATISTICS "good_tags_name_folded" SET STATISTICS 200;
CREATE STATISTICS "good_types_name_folded" ON (folded("name")) FROM "good_types";
ALTER STATISTICS "good_types_name_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_name_folded" ON (folded("name")) FROM "goods";
ALTER STATISTICS "goods_name_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_sku_folded" ON (folded("sku")) FROM "goods";
ALTER STATISTICS "goods_sku_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_label_folded" ON (folded("label")) FROM "goods";
ALTER STATISTICS "goods_label_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_eta_folded" ON (folded("eta")) FROM "goods";
ALTER STATISTICS "goods_eta_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_unit_folded" ON (folded("unit")) FROM "goods";
ALTER STATISTICS "goods_unit_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_limit_type_folded" ON (folded("limit_type")) FROM "goods";
ALTER STATISTICS "goods_limit_type_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_weight_folded" ON (folded("weight")) FROM "goods";
ALTER STATISTICS "goods_weight_folded" SET STATISTICS 200;
CREATE STATISTICS "goods_keywords_folded_texts" ON (folded_texts("keywords")) FROM "goods";
ALTER STATISTICS "goods_keywords_folded_texts" SET STATISTICS 200;
CREATE STATISTICS "goods_barcodes_folded_texts" ON (folded_texts("barcodes")) FROM "goods";
ALTER STATISTICS "goods_barcodes_folded_texts" SET STATISTICS 200;
CREATE STATISTICS "materials_name_folded" ON (folded("name")) FROM "materials";
ALTER STATISTICS "materials_name_folded" SET STATISTICS 200;
CREATE STATISTICS "properties_name_folded" ON (folded("name")) FROM "properties";
ALTER STATISTICS "properties_name_folded" SET STATISTICS 200;
CREATE STATISTICS "providers_name_folded" ON (folded("name")) FROM "providers";
ALTER STATISTICS "providers_name_folded" SET STATISTICS 200;
CREATE STATISTICS "service_charges_name_folded" ON (folded("name")) FROM "service_charges";
ALTER STATISTICS "service_charges_name_folded" SET STATISTICS 200;
CREATE STATISTICS "services_name_folded" ON (folded("name")) FROM "services";
ALTER STATISTICS "services_name_folded" SET STATISTICS 200;

-- Codes are compared byte by byte, so that an index finds those that begin alike.
ALTER TABLE "coupon_codes" ALTER COLUMN "code" TYPE text COLLATE "C";
ALTER TABLE "coupon_redemptions" ALTER COLUMN "code" TYPE text COLLATE "C";
