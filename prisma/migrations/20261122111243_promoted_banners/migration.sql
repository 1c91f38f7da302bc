-- CreateTable
CREATE TABLE "promoted_banners" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "action" TEXT NOT NULL DEFAULT 'view',
    "target_type" TEXT NOT NULL,
    "target_id" INTEGER NOT NULL,
    "branch_group_id" INTEGER,
    "good_id" INTEGER,
    "branch_category_id" INTEGER,
    "city_id" INTEGER,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "hour_from" TEXT NOT NULL DEFAULT '00:00',
    "hour_to" TEXT NOT NULL DEFAULT '23:59',
    "tz" TEXT,
    "days" INTEGER NOT NULL DEFAULT 127,
    "banner_key" TEXT,
    "vertical_banner_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "promoted_banners_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "promoted_banner_branch_categories" (
    "company_id" INTEGER NOT NULL,
    "promoted_banner_id" INTEGER NOT NULL,
    "branch_category_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "promoted_banner_branch_categories_pkey" PRIMARY KEY ("company_id","promoted_banner_id","branch_category_id")
);

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_branch_group_id_idx" ON "promoted_banners"("company_id", "branch_group_id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_good_id_idx" ON "promoted_banners"("company_id", "good_id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_branch_category_id_idx" ON "promoted_banners"("company_id", "branch_category_id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_city_id_idx" ON "promoted_banners"("company_id", "city_id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_in_order_id_idx" ON "promoted_banners"("company_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_name_id_idx" ON "promoted_banners"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_enabled_id_idx" ON "promoted_banners"("company_id", "enabled", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_target_type_id_idx" ON "promoted_banners"("company_id", "target_type", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_target_id_id_idx" ON "promoted_banners"("company_id", "target_id", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_created_at_id_idx" ON "promoted_banners"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "promoted_banners_company_id_updated_at_id_idx" ON "promoted_banners"("company_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "promoted_banners_company_id_banner_key_key" ON "promoted_banners"("company_id", "banner_key");

-- CreateIndex
CREATE UNIQUE INDEX "promoted_banners_company_id_vertical_banner_key_key" ON "promoted_banners"("company_id", "vertical_banner_key");

-- CreateIndex
CREATE INDEX "promoted_banner_branch_categories_company_id_branch_categor_idx" ON "promoted_banner_branch_categories"("company_id", "branch_category_id");

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_branch_category_id_fkey" FOREIGN KEY ("company_id", "branch_category_id") REFERENCES "branch_categories"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_city_id_fkey" FOREIGN KEY ("company_id", "city_id") REFERENCES "cities"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_banner_key_fkey" FOREIGN KEY ("company_id", "banner_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banners" ADD CONSTRAINT "promoted_banners_company_id_vertical_banner_key_fkey" FOREIGN KEY ("company_id", "vertical_banner_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banner_branch_categories" ADD CONSTRAINT "promoted_banner_branch_categories_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banner_branch_categories" ADD CONSTRAINT "promoted_banner_branch_categories_company_id_promoted_bann_fkey" FOREIGN KEY ("company_id", "promoted_banner_id") REFERENCES "promoted_banners"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promoted_banner_branch_categories" ADD CONSTRAINT "promoted_banner_branch_categories_company_id_branch_catego_fkey" FOREIGN KEY ("company_id", "branch_category_id") REFERENCES "branch_categories"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_action_check CHECK ((action = 'view'::text));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_days_check CHECK (((days >= 0) AND (days <= 127)));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_description_check CHECK ((char_length(description) <= 255));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_hours_check CHECK (((hour_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text) AND (hour_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text)));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_name_check CHECK ((char_length(name) <= 64));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_target_check CHECK ((COALESCE((
CASE target_type
    WHEN 'company'::text THEN company_id
    WHEN 'branch_group'::text THEN branch_group_id
    WHEN 'good'::text THEN good_id
    WHEN 'branch_category'::text THEN branch_category_id
    WHEN 'city'::text THEN city_id
    ELSE NULL::integer
END = target_id), false) AND (num_nonnulls(branch_group_id, good_id, branch_category_id, city_id) =
CASE target_type
    WHEN 'company'::text THEN 0
    ELSE 1
END)));

ALTER TABLE promoted_banners ADD CONSTRAINT promoted_banners_tz_check CHECK ((tz ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'::text));

CREATE TRIGGER promoted_banner_branch_categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.promoted_banner_branch_categories FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('promoted_banner_branch_category', '{}', '{promoted_banner_id,branch_category_id}');

CREATE TRIGGER promoted_banners_audit AFTER INSERT OR DELETE OR UPDATE ON public.promoted_banners FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('promoted_banner');

CREATE TRIGGER promoted_banners_banner AFTER INSERT OR DELETE OR UPDATE OF banner_key ON public.promoted_banners FOR EACH ROW EXECUTE FUNCTION own_file('banner_key');

CREATE TRIGGER promoted_banners_updated_at BEFORE UPDATE OF updated_at ON public.promoted_banners FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER promoted_banners_vertical_banner AFTER INSERT OR DELETE OR UPDATE OF vertical_banner_key ON public.promoted_banners FOR EACH ROW EXECUTE FUNCTION own_file('vertical_banner_key');

-- What lists look for in texts.
CREATE INDEX "promoted_banners_texts_idx" ON "promoted_banners" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE STATISTICS "promoted_banners_name_folded" ON (folded("name")) FROM "promoted_banners";
ALTER STATISTICS "promoted_banners_name_folded" SET STATISTICS 200;
