-- CreateTable
CREATE TABLE "admins" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "avatar_url" TEXT,
    "status" INTEGER NOT NULL DEFAULT 0,
    "admin_type_id" INTEGER,
    "city_id" INTEGER,
    "branch_group_id" INTEGER,
    "branch_id" INTEGER,
    "client_id" INTEGER,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "password_hash" TEXT,
    "is_owner" BOOLEAN NOT NULL DEFAULT false,
    "is_full_admin" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "admins_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "admin_types" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uid" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "default_key" TEXT NOT NULL,
    "content" JSONB NOT NULL DEFAULT '[]',
    "code" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "admin_types_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "admin_type_roles" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "admin_type_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "admin_type_roles_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "client_admins" (
    "company_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,
    "admin_id" INTEGER NOT NULL,
    "is_main" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_admins_pkey" PRIMARY KEY ("company_id","client_id","admin_id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "token_hash" TEXT NOT NULL,
    "family_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "replaced_by_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "password_setup_tokens" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "admin_id" INTEGER NOT NULL,
    "token_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_setup_tokens_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE UNLOGGED TABLE "rate_limits" (
    "bucket" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "resets_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE TABLE "clients" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "city_id" INTEGER,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "clients_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "client_favorites" (
    "company_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "in_order" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_favorites_pkey" PRIMARY KEY ("company_id","client_id","good_id")
);

-- CreateTable
CREATE TABLE "companies" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "custom_domain" TEXT,
    "custom_domain_host" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "extension_days" INTEGER NOT NULL DEFAULT 0,
    "options" INTEGER NOT NULL DEFAULT 0,
    "plan" INTEGER NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "folder_name" TEXT NOT NULL,
    "strings_json" JSONB NOT NULL,
    "styles_json" JSONB NOT NULL,
    "custom_json" JSONB,
    "default_iso_lang" TEXT NOT NULL,
    "country_iso" TEXT NOT NULL,
    "time_zone_offset" TEXT NOT NULL DEFAULT '+00:00',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "company_settings" (
    "company_id" INTEGER NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "secrets" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "company_settings_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "goods" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "short_details" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "picture_urls" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "vertical_picture_urls" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "price_e2" BIGINT NOT NULL,
    "type" INTEGER NOT NULL,
    "rating_e2" INTEGER NOT NULL DEFAULT 0,
    "rating_sum" INTEGER NOT NULL DEFAULT 0,
    "rating_count" INTEGER NOT NULL DEFAULT 0,
    "eta" TEXT,
    "eta_config_id" INTEGER,
    "provider_fee_e2" BIGINT NOT NULL DEFAULT 0,
    "provider_fee_prc" DECIMAL(7,4) NOT NULL DEFAULT 0,
    "sku" TEXT,
    "good_type_id" INTEGER,
    "notes_enabled" BOOLEAN NOT NULL DEFAULT false,
    "branch_group_id" INTEGER,
    "unit" TEXT NOT NULL DEFAULT '',
    "max_quantity" INTEGER,
    "limit_type" TEXT,
    "unit_config" JSONB,
    "keywords" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "barcodes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "weight" TEXT,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "goods_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "good_materials" (
    "company_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "material_id" INTEGER NOT NULL,
    "quantity_real" INTEGER NOT NULL,
    "extras" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_materials_pkey" PRIMARY KEY ("company_id","good_id","material_id")
);

-- CreateTable
CREATE TABLE "good_tag_goods" (
    "company_id" INTEGER NOT NULL,
    "good_tag_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_tag_goods_pkey" PRIMARY KEY ("company_id","good_tag_id","good_id")
);

-- CreateTable
CREATE TABLE "good_categories" (
    "company_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_categories_pkey" PRIMARY KEY ("company_id","category_id","good_id")
);

-- CreateTable
CREATE TABLE "properties" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "property_group_id" INTEGER,
    "branch_group_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "properties_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "property_options" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "property_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "price_e2" BIGINT NOT NULL DEFAULT 0,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "property_options_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "property_ranges" (
    "company_id" INTEGER NOT NULL,
    "property_id" INTEGER NOT NULL,
    "min" INTEGER NOT NULL,
    "max" INTEGER NOT NULL,
    "decimates" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "default_value" INTEGER NOT NULL,
    "base_price_e2" BIGINT NOT NULL,
    "step_price_e2" BIGINT NOT NULL,
    "unit" TEXT,

    CONSTRAINT "property_ranges_pkey" PRIMARY KEY ("company_id","property_id")
);

-- CreateTable
CREATE TABLE "property_texts" (
    "company_id" INTEGER NOT NULL,
    "property_id" INTEGER NOT NULL,
    "regex" TEXT NOT NULL,
    "hint" TEXT,

    CONSTRAINT "property_texts_pkey" PRIMARY KEY ("company_id","property_id")
);

-- CreateTable
CREATE TABLE "good_properties" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "good_id" INTEGER NOT NULL,
    "property_id" INTEGER NOT NULL,
    "display_name" TEXT NOT NULL,
    "options" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_properties_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "cities" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "country_iso" TEXT,
    "latitude_e6" INTEGER,
    "longitude_e6" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cities_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "branch_categories" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branch_categories_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "branch_groups" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "branch_category_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branch_groups_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "branches" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "branch_group_id" INTEGER,
    "city_id" INTEGER,
    "address" TEXT,
    "latitude_e6" INTEGER,
    "longitude_e6" INTEGER,
    "time_zone_offset" TEXT,
    "opening_hours" JSONB,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branches_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "providers" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "city_id" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "provider_branch_groups" (
    "company_id" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "branch_group_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_branch_groups_pkey" PRIMARY KEY ("company_id","provider_id","branch_group_id")
);

-- CreateTable
CREATE TABLE "orders" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "client_id" INTEGER,
    "branch_id" INTEGER,
    "shopper_id" INTEGER,
    "deliverer_id" INTEGER,
    "shopper_fee_e2" BIGINT NOT NULL DEFAULT 0,
    "deliverer_fee_e2" BIGINT NOT NULL DEFAULT 0,
    "subtotal_e2" BIGINT NOT NULL DEFAULT 0,
    "delivery_e2" BIGINT NOT NULL DEFAULT 0,
    "total_e2" BIGINT NOT NULL DEFAULT 0,
    "currency_iso" TEXT NOT NULL,
    "source" TEXT,
    "status" TEXT NOT NULL DEFAULT 'created',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "fleets" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fleets_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "services" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" INTEGER NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "services_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "service_charges" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "service_id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_charges_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "materials" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "unit" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "materials_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "good_types" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_types_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "good_tags" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "good_tags_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "categories" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" INTEGER,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "carts" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "client_id" INTEGER,
    "branch_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "carts_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "geofences" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "inverted" BOOLEAN NOT NULL DEFAULT false,
    "branch_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "geofences_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "branch_goods" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "price_e2" BIGINT,
    "stock" DECIMAL(14,3),
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branch_goods_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "branch_good_properties" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "branch_good_id" INTEGER NOT NULL,
    "good_property_id" INTEGER NOT NULL,
    "price_e2" BIGINT,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branch_good_properties_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "admins_company_id_admin_type_id_id_idx" ON "admins"("company_id", "admin_type_id", "id");

-- CreateIndex
CREATE INDEX "admins_company_id_city_id_id_idx" ON "admins"("company_id", "city_id", "id");

-- CreateIndex
CREATE INDEX "admins_company_id_branch_group_id_id_idx" ON "admins"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "admins_company_id_branch_id_id_idx" ON "admins"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "admins_company_id_client_id_id_idx" ON "admins"("company_id", "client_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "admins_company_id_account_id_key" ON "admins"("company_id", "account_id");

-- CreateIndex
CREATE INDEX "admin_types_company_id_name_id_idx" ON "admin_types"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "admin_types_company_id_created_at_id_idx" ON "admin_types"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "admin_types_company_id_uid_key" ON "admin_types"("company_id", "uid");

-- CreateIndex
CREATE UNIQUE INDEX "admin_type_roles_company_id_admin_type_id_role_key" ON "admin_type_roles"("company_id", "admin_type_id", "role");

-- CreateIndex
CREATE INDEX "client_admins_company_id_admin_id_idx" ON "client_admins"("company_id", "admin_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_company_id_family_id_idx" ON "refresh_tokens"("company_id", "family_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_company_id_subject_kind_subject_id_idx" ON "refresh_tokens"("company_id", "subject_kind", "subject_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_company_id_token_hash_key" ON "refresh_tokens"("company_id", "token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_company_id_replaced_by_id_key" ON "refresh_tokens"("company_id", "replaced_by_id");

-- CreateIndex
CREATE INDEX "password_setup_tokens_company_id_admin_id_idx" ON "password_setup_tokens"("company_id", "admin_id");

-- CreateIndex
CREATE INDEX "password_setup_tokens_expires_at_idx" ON "password_setup_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "password_setup_tokens_company_id_token_hash_key" ON "password_setup_tokens"("company_id", "token_hash");

-- CreateIndex
CREATE INDEX "rate_limits_resets_at_idx" ON "rate_limits"("resets_at");

-- CreateIndex
CREATE INDEX "clients_company_id_city_id_id_idx" ON "clients"("company_id", "city_id", "id");

-- CreateIndex
CREATE INDEX "client_favorites_company_id_good_id_idx" ON "client_favorites"("company_id", "good_id");

-- CreateIndex
CREATE INDEX "client_favorites_company_id_client_id_in_order_good_id_idx" ON "client_favorites"("company_id", "client_id", "in_order", "good_id");

-- CreateIndex
CREATE INDEX "companies_name_id_idx" ON "companies"("name", "id");

-- CreateIndex
CREATE INDEX "companies_created_at_id_idx" ON "companies"("created_at", "id");

-- CreateIndex
CREATE INDEX "goods_company_id_good_type_id_id_idx" ON "goods"("company_id", "good_type_id", "id");

-- CreateIndex
CREATE INDEX "goods_company_id_branch_group_id_id_idx" ON "goods"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "good_materials_company_id_material_id_idx" ON "good_materials"("company_id", "material_id");

-- CreateIndex
CREATE INDEX "good_tag_goods_company_id_good_id_idx" ON "good_tag_goods"("company_id", "good_id");

-- CreateIndex
CREATE INDEX "good_categories_company_id_good_id_idx" ON "good_categories"("company_id", "good_id");

-- CreateIndex
CREATE INDEX "properties_company_id_branch_group_id_id_idx" ON "properties"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_property_group_id_id_idx" ON "properties"("company_id", "property_group_id", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_updated_at_id_idx" ON "properties"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_name_id_idx" ON "properties"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "properties_company_id_created_at_id_idx" ON "properties"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "property_options_company_id_property_id_in_order_id_idx" ON "property_options"("company_id", "property_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_good_id_in_order_id_idx" ON "good_properties"("company_id", "good_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_property_id_id_idx" ON "good_properties"("company_id", "property_id", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_in_order_id_idx" ON "good_properties"("company_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "good_properties_company_id_created_at_id_idx" ON "good_properties"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "good_properties_company_id_good_id_property_id_key" ON "good_properties"("company_id", "good_id", "property_id");

-- CreateIndex
CREATE INDEX "cities_company_id_name_id_idx" ON "cities"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "cities_company_id_created_at_id_idx" ON "cities"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "branch_categories_company_id_in_order_id_idx" ON "branch_categories"("company_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "branch_categories_company_id_name_id_idx" ON "branch_categories"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "branch_categories_company_id_created_at_id_idx" ON "branch_categories"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "branch_groups_company_id_branch_category_id_id_idx" ON "branch_groups"("company_id", "branch_category_id", "id");

-- CreateIndex
CREATE INDEX "branch_groups_company_id_name_id_idx" ON "branch_groups"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "branch_groups_company_id_created_at_id_idx" ON "branch_groups"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "branches_company_id_branch_group_id_id_idx" ON "branches"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "branches_company_id_city_id_id_idx" ON "branches"("company_id", "city_id", "id");

-- CreateIndex
CREATE INDEX "branches_company_id_name_id_idx" ON "branches"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "branches_company_id_created_at_id_idx" ON "branches"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "providers_company_id_city_id_id_idx" ON "providers"("company_id", "city_id", "id");

-- CreateIndex
CREATE INDEX "providers_company_id_name_id_idx" ON "providers"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "providers_company_id_created_at_id_idx" ON "providers"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "provider_branch_groups_company_id_branch_group_id_idx" ON "provider_branch_groups"("company_id", "branch_group_id");

-- CreateIndex
CREATE INDEX "orders_company_id_client_id_id_idx" ON "orders"("company_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "orders_company_id_branch_id_id_idx" ON "orders"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "orders_company_id_shopper_id_id_idx" ON "orders"("company_id", "shopper_id", "id");

-- CreateIndex
CREATE INDEX "orders_company_id_deliverer_id_id_idx" ON "orders"("company_id", "deliverer_id", "id");

-- CreateIndex
CREATE INDEX "orders_company_id_status_id_idx" ON "orders"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "orders_company_id_created_at_id_idx" ON "orders"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fleets_company_id_name_id_idx" ON "fleets"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "fleets_company_id_created_at_id_idx" ON "fleets"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "services_company_id_name_id_idx" ON "services"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "services_company_id_created_at_id_idx" ON "services"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_charges_company_id_service_id_id_idx" ON "service_charges"("company_id", "service_id", "id");

-- CreateIndex
CREATE INDEX "service_charges_company_id_name_id_idx" ON "service_charges"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "service_charges_company_id_created_at_id_idx" ON "service_charges"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "materials_company_id_name_id_idx" ON "materials"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "materials_company_id_created_at_id_idx" ON "materials"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "good_types_company_id_name_id_idx" ON "good_types"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "good_types_company_id_created_at_id_idx" ON "good_types"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "good_tags_company_id_name_id_idx" ON "good_tags"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "good_tags_company_id_created_at_id_idx" ON "good_tags"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "categories_company_id_parent_id_in_order_id_idx" ON "categories"("company_id", "parent_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "categories_company_id_in_order_id_idx" ON "categories"("company_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "categories_company_id_name_id_idx" ON "categories"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "categories_company_id_created_at_id_idx" ON "categories"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "carts_company_id_client_id_id_idx" ON "carts"("company_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "carts_company_id_branch_id_id_idx" ON "carts"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "carts_company_id_created_at_id_idx" ON "carts"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "geofences_company_id_branch_id_id_idx" ON "geofences"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "geofences_company_id_name_id_idx" ON "geofences"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "geofences_company_id_created_at_id_idx" ON "geofences"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "branch_goods_company_id_good_id_id_idx" ON "branch_goods"("company_id", "good_id", "id");

-- CreateIndex
CREATE INDEX "branch_goods_company_id_created_at_id_idx" ON "branch_goods"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "branch_goods_company_id_branch_id_good_id_key" ON "branch_goods"("company_id", "branch_id", "good_id");

-- CreateIndex
CREATE INDEX "branch_good_properties_company_id_good_property_id_id_idx" ON "branch_good_properties"("company_id", "good_property_id", "id");

-- CreateIndex
CREATE INDEX "branch_good_properties_company_id_created_at_id_idx" ON "branch_good_properties"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "branch_good_properties_company_id_branch_good_id_good_prope_key" ON "branch_good_properties"("company_id", "branch_good_id", "good_property_id");

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_admin_type_id_fkey" FOREIGN KEY ("company_id", "admin_type_id") REFERENCES "admin_types"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_city_id_fkey" FOREIGN KEY ("company_id", "city_id") REFERENCES "cities"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admin_types" ADD CONSTRAINT "admin_types_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admin_type_roles" ADD CONSTRAINT "admin_type_roles_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admin_type_roles" ADD CONSTRAINT "admin_type_roles_company_id_admin_type_id_fkey" FOREIGN KEY ("company_id", "admin_type_id") REFERENCES "admin_types"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_admins" ADD CONSTRAINT "client_admins_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_admins" ADD CONSTRAINT "client_admins_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_admins" ADD CONSTRAINT "client_admins_company_id_admin_id_fkey" FOREIGN KEY ("company_id", "admin_id") REFERENCES "admins"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_company_id_replaced_by_id_fkey" FOREIGN KEY ("company_id", "replaced_by_id") REFERENCES "refresh_tokens"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "password_setup_tokens" ADD CONSTRAINT "password_setup_tokens_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "password_setup_tokens" ADD CONSTRAINT "password_setup_tokens_company_id_admin_id_fkey" FOREIGN KEY ("company_id", "admin_id") REFERENCES "admins"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_company_id_city_id_fkey" FOREIGN KEY ("company_id", "city_id") REFERENCES "cities"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_favorites" ADD CONSTRAINT "client_favorites_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_favorites" ADD CONSTRAINT "client_favorites_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_favorites" ADD CONSTRAINT "client_favorites_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_settings" ADD CONSTRAINT "company_settings_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goods" ADD CONSTRAINT "goods_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goods" ADD CONSTRAINT "goods_company_id_good_type_id_fkey" FOREIGN KEY ("company_id", "good_type_id") REFERENCES "good_types"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goods" ADD CONSTRAINT "goods_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_materials" ADD CONSTRAINT "good_materials_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_materials" ADD CONSTRAINT "good_materials_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_materials" ADD CONSTRAINT "good_materials_company_id_material_id_fkey" FOREIGN KEY ("company_id", "material_id") REFERENCES "materials"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_tag_goods" ADD CONSTRAINT "good_tag_goods_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_tag_goods" ADD CONSTRAINT "good_tag_goods_company_id_good_tag_id_fkey" FOREIGN KEY ("company_id", "good_tag_id") REFERENCES "good_tags"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_tag_goods" ADD CONSTRAINT "good_tag_goods_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_categories" ADD CONSTRAINT "good_categories_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_categories" ADD CONSTRAINT "good_categories_company_id_category_id_fkey" FOREIGN KEY ("company_id", "category_id") REFERENCES "categories"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_categories" ADD CONSTRAINT "good_categories_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_options" ADD CONSTRAINT "property_options_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_options" ADD CONSTRAINT "property_options_company_id_property_id_fkey" FOREIGN KEY ("company_id", "property_id") REFERENCES "properties"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_ranges" ADD CONSTRAINT "property_ranges_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_ranges" ADD CONSTRAINT "property_ranges_company_id_property_id_fkey" FOREIGN KEY ("company_id", "property_id") REFERENCES "properties"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_texts" ADD CONSTRAINT "property_texts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_texts" ADD CONSTRAINT "property_texts_company_id_property_id_fkey" FOREIGN KEY ("company_id", "property_id") REFERENCES "properties"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_properties" ADD CONSTRAINT "good_properties_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_properties" ADD CONSTRAINT "good_properties_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_properties" ADD CONSTRAINT "good_properties_company_id_property_id_fkey" FOREIGN KEY ("company_id", "property_id") REFERENCES "properties"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cities" ADD CONSTRAINT "cities_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_categories" ADD CONSTRAINT "branch_categories_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_groups" ADD CONSTRAINT "branch_groups_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_groups" ADD CONSTRAINT "branch_groups_company_id_branch_category_id_fkey" FOREIGN KEY ("company_id", "branch_category_id") REFERENCES "branch_categories"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branches" ADD CONSTRAINT "branches_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branches" ADD CONSTRAINT "branches_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branches" ADD CONSTRAINT "branches_company_id_city_id_fkey" FOREIGN KEY ("company_id", "city_id") REFERENCES "cities"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "providers" ADD CONSTRAINT "providers_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "providers" ADD CONSTRAINT "providers_company_id_city_id_fkey" FOREIGN KEY ("company_id", "city_id") REFERENCES "cities"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "provider_branch_groups" ADD CONSTRAINT "provider_branch_groups_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "provider_branch_groups" ADD CONSTRAINT "provider_branch_groups_company_id_provider_id_fkey" FOREIGN KEY ("company_id", "provider_id") REFERENCES "providers"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "provider_branch_groups" ADD CONSTRAINT "provider_branch_groups_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_shopper_id_fkey" FOREIGN KEY ("company_id", "shopper_id") REFERENCES "providers"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_deliverer_id_fkey" FOREIGN KEY ("company_id", "deliverer_id") REFERENCES "providers"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleets" ADD CONSTRAINT "fleets_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "services" ADD CONSTRAINT "services_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "service_charges" ADD CONSTRAINT "service_charges_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "service_charges" ADD CONSTRAINT "service_charges_company_id_service_id_fkey" FOREIGN KEY ("company_id", "service_id") REFERENCES "services"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "materials" ADD CONSTRAINT "materials_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_types" ADD CONSTRAINT "good_types_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_tags" ADD CONSTRAINT "good_tags_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_company_id_parent_id_fkey" FOREIGN KEY ("company_id", "parent_id") REFERENCES "categories"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "carts" ADD CONSTRAINT "carts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "carts" ADD CONSTRAINT "carts_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "carts" ADD CONSTRAINT "carts_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "geofences" ADD CONSTRAINT "geofences_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "geofences" ADD CONSTRAINT "geofences_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_goods" ADD CONSTRAINT "branch_goods_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_goods" ADD CONSTRAINT "branch_goods_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_goods" ADD CONSTRAINT "branch_goods_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_good_properties" ADD CONSTRAINT "branch_good_properties_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_good_properties" ADD CONSTRAINT "branch_good_properties_company_id_branch_good_id_fkey" FOREIGN KEY ("company_id", "branch_good_id") REFERENCES "branch_goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "branch_good_properties" ADD CONSTRAINT "branch_good_properties_company_id_good_property_id_fkey" FOREIGN KEY ("company_id", "good_property_id") REFERENCES "good_properties"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Hand-written from here on: what Prisma's schema language cannot say.

-- A deleted row gives its name free, and a restored one has to find it free again.
CREATE UNIQUE INDEX "companies_domain_key" ON "companies"(lower("domain")) WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "companies_custom_domain_host_key" ON "companies"("custom_domain_host") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "admins_company_id_email_key" ON "admins"("company_id", lower("email")) WHERE "deleted_at" IS NULL;

-- One main admin for a client, one owner for a company.
CREATE UNIQUE INDEX "client_admins_company_id_client_id_main_key" ON "client_admins"("company_id", "client_id") WHERE "is_main";
CREATE UNIQUE INDEX "admins_company_id_owner_key" ON "admins"("company_id") WHERE "is_owner" AND "deleted_at" IS NULL;

-- Login without a domain: the companies that know an e-mail.
CREATE INDEX "admins_email_idx" ON "admins"(lower("email")) WHERE "deleted_at" IS NULL;

-- Lists of what can be deleted softly.
CREATE INDEX "goods_company_id_name_id_idx" ON "goods"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_price_e2_id_idx" ON "goods"("company_id", "price_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_created_at_id_idx" ON "goods"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_updated_at_id_idx" ON "goods"("company_id", "updated_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_sku_id_idx" ON "goods"("company_id", "sku", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_label_id_idx" ON "goods"("company_id", "label", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_rating_e2_id_idx" ON "goods"("company_id", "rating_e2", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_type_id_idx" ON "goods"("company_id", "type", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "goods_company_id_deleted_at_id_idx" ON "goods"("company_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "admins_company_id_name_id_idx" ON "admins"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "admins_company_id_created_at_id_idx" ON "admins"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_name_id_idx" ON "clients"("company_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_registered_at_id_idx" ON "clients"("company_id", "registered_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_email_id_idx" ON "clients"("company_id", "email", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_phone_id_idx" ON "clients"("company_id", "phone", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_created_at_id_idx" ON "clients"("company_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "clients_company_id_email_idx" ON "clients"("company_id", lower("email")) WHERE "deleted_at" IS NULL AND "email" IS NOT NULL;

-- Bounds of the columns.
ALTER TABLE "companies"
    ADD CONSTRAINT "companies_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "companies_email_check" CHECK (char_length("email") <= 64),
    ADD CONSTRAINT "companies_domain_check" CHECK (char_length("domain") BETWEEN 1 AND 32),
    ADD CONSTRAINT "companies_custom_domain_check" CHECK (char_length("custom_domain") <= 255),
    ADD CONSTRAINT "companies_custom_domain_host_check" CHECK ("custom_domain_host" = lower("custom_domain_host") AND char_length("custom_domain_host") BETWEEN 1 AND 255),
    ADD CONSTRAINT "companies_custom_domain_pair_check" CHECK (("custom_domain" IS NULL) = ("custom_domain_host" IS NULL)),
    ADD CONSTRAINT "companies_extension_days_check" CHECK ("extension_days" >= 0),
    ADD CONSTRAINT "companies_options_check" CHECK ("options" >= 0),
    ADD CONSTRAINT "companies_default_iso_lang_check" CHECK (char_length("default_iso_lang") = 2),
    ADD CONSTRAINT "companies_country_iso_check" CHECK (char_length("country_iso") <= 2),
    ADD CONSTRAINT "companies_time_zone_offset_check" CHECK ("time_zone_offset" ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "companies_strings_json_check" CHECK (jsonb_typeof("strings_json") = 'object'),
    ADD CONSTRAINT "companies_styles_json_check" CHECK (jsonb_typeof("styles_json") = 'object'),
    ADD CONSTRAINT "companies_custom_json_check" CHECK (jsonb_typeof("custom_json") = 'object');

ALTER TABLE "company_settings"
    ADD CONSTRAINT "company_settings_data_check" CHECK (jsonb_typeof("data") = 'object'),
    ADD CONSTRAINT "company_settings_secrets_check" CHECK (jsonb_typeof("secrets") = 'object');

ALTER TABLE "admins"
    ADD CONSTRAINT "admins_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "admins_email_check" CHECK (char_length("email") BETWEEN 1 AND 254),
    ADD CONSTRAINT "admins_status_check" CHECK ("status" >= 0),
    ADD CONSTRAINT "admins_settings_check" CHECK (jsonb_typeof("settings") = 'object');

ALTER TABLE "admin_types"
    ADD CONSTRAINT "admin_types_name_check" CHECK (char_length("name") <= 32),
    ADD CONSTRAINT "admin_types_default_key_check" CHECK (char_length("default_key") <= 32),
    ADD CONSTRAINT "admin_types_content_check" CHECK (jsonb_typeof("content") = 'array');

ALTER TABLE "admin_type_roles"
    ADD CONSTRAINT "admin_type_roles_role_check" CHECK ("role" ~ '^(access_|can_).');

ALTER TABLE "refresh_tokens"
    ADD CONSTRAINT "refresh_tokens_subject_kind_check" CHECK ("subject_kind" IN ('admin', 'client'));

ALTER TABLE "rate_limits"
    ADD CONSTRAINT "rate_limits_count_check" CHECK ("count" >= 0);

ALTER TABLE "clients"
    ADD CONSTRAINT "clients_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "clients_email_check" CHECK (char_length("email") BETWEEN 1 AND 254);

ALTER TABLE "client_favorites"
    ADD CONSTRAINT "client_favorites_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "cities"
    ADD CONSTRAINT "cities_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "cities_country_iso_check" CHECK (char_length("country_iso") <= 2),
    ADD CONSTRAINT "cities_latitude_e6_check" CHECK ("latitude_e6" BETWEEN -90000000 AND 90000000),
    ADD CONSTRAINT "cities_longitude_e6_check" CHECK ("longitude_e6" BETWEEN -180000000 AND 180000000);

ALTER TABLE "branch_categories"
    ADD CONSTRAINT "branch_categories_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "branch_categories_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "branch_groups"
    ADD CONSTRAINT "branch_groups_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "branches"
    ADD CONSTRAINT "branches_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "branches_latitude_e6_check" CHECK ("latitude_e6" BETWEEN -90000000 AND 90000000),
    ADD CONSTRAINT "branches_longitude_e6_check" CHECK ("longitude_e6" BETWEEN -180000000 AND 180000000),
    ADD CONSTRAINT "branches_time_zone_offset_check" CHECK ("time_zone_offset" ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "branches_opening_hours_check" CHECK (jsonb_typeof("opening_hours") IN ('object', 'array'));

ALTER TABLE "providers"
    ADD CONSTRAINT "providers_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "providers_email_check" CHECK (char_length("email") BETWEEN 1 AND 254);

ALTER TABLE "orders"
    ADD CONSTRAINT "orders_shopper_fee_e2_check" CHECK ("shopper_fee_e2" >= 0),
    ADD CONSTRAINT "orders_deliverer_fee_e2_check" CHECK ("deliverer_fee_e2" >= 0),
    ADD CONSTRAINT "orders_subtotal_e2_check" CHECK ("subtotal_e2" >= 0),
    ADD CONSTRAINT "orders_delivery_e2_check" CHECK ("delivery_e2" >= 0),
    ADD CONSTRAINT "orders_total_e2_check" CHECK ("total_e2" >= 0),
    ADD CONSTRAINT "orders_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8),
    ADD CONSTRAINT "orders_status_check" CHECK ("status" IN ('created', 'paid', 'delivered', 'canceled'));

ALTER TABLE "fleets" ADD CONSTRAINT "fleets_name_check" CHECK (char_length("name") <= 255);
ALTER TABLE "services" ADD CONSTRAINT "services_name_check" CHECK (char_length("name") <= 255);
ALTER TABLE "service_charges" ADD CONSTRAINT "service_charges_name_check" CHECK (char_length("name") <= 255);
ALTER TABLE "good_types" ADD CONSTRAINT "good_types_name_check" CHECK (char_length("name") <= 255);
ALTER TABLE "good_tags" ADD CONSTRAINT "good_tags_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "materials"
    ADD CONSTRAINT "materials_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "materials_unit_check" CHECK (char_length("unit") <= 16);

ALTER TABLE "categories"
    ADD CONSTRAINT "categories_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "categories_in_order_check" CHECK ("in_order" >= 0),
    ADD CONSTRAINT "categories_parent_id_check" CHECK ("parent_id" <> "id");

ALTER TABLE "geofences"
    ADD CONSTRAINT "geofences_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "geofences_data_check" CHECK (jsonb_typeof("data") = 'object');

ALTER TABLE "branch_goods"
    ADD CONSTRAINT "branch_goods_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "branch_goods_stock_check" CHECK ("stock" >= 0);

ALTER TABLE "branch_good_properties"
    ADD CONSTRAINT "branch_good_properties_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "branch_good_properties_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "properties"
    ADD CONSTRAINT "properties_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "properties_type_check" CHECK ("type" >= 0);

ALTER TABLE "property_options"
    ADD CONSTRAINT "property_options_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "property_options_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "property_options_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "property_ranges"
    ADD CONSTRAINT "property_ranges_max_check" CHECK ("max" > "min"),
    ADD CONSTRAINT "property_ranges_decimates_check" CHECK ("decimates" BETWEEN 0 AND 3),
    ADD CONSTRAINT "property_ranges_step_check" CHECK ("step" >= 1),
    ADD CONSTRAINT "property_ranges_default_value_check" CHECK ("default_value" BETWEEN "min" AND "max"),
    ADD CONSTRAINT "property_ranges_base_price_e2_check" CHECK ("base_price_e2" >= 0),
    ADD CONSTRAINT "property_ranges_step_price_e2_check" CHECK ("step_price_e2" >= 0),
    ADD CONSTRAINT "property_ranges_unit_check" CHECK (char_length("unit") <= 8);

ALTER TABLE "property_texts"
    ADD CONSTRAINT "property_texts_regex_check" CHECK (char_length("regex") <= 255),
    ADD CONSTRAINT "property_texts_hint_check" CHECK (char_length("hint") <= 64);

ALTER TABLE "good_properties"
    ADD CONSTRAINT "good_properties_display_name_check" CHECK (char_length("display_name") <= 64),
    ADD CONSTRAINT "good_properties_options_check" CHECK ("options" >= 0),
    ADD CONSTRAINT "good_properties_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "goods"
    ADD CONSTRAINT "goods_name_check" CHECK (char_length("name") <= 80),
    ADD CONSTRAINT "goods_short_details_check" CHECK (char_length("short_details") <= 64),
    ADD CONSTRAINT "goods_price_e2_check" CHECK ("price_e2" >= 0),
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
    ADD CONSTRAINT "goods_lists_check" CHECK (num_nulls("picture_urls", "vertical_picture_urls", "keywords", "barcodes") = 0);

ALTER TABLE "good_materials"
    ADD CONSTRAINT "good_materials_quantity_real_check" CHECK ("quantity_real" >= 1),
    ADD CONSTRAINT "good_materials_extras_check" CHECK (jsonb_typeof("extras") = 'array');
