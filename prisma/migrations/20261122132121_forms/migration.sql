-- CreateTable
CREATE TABLE "forms" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "type" INTEGER NOT NULL,
    "name" TEXT,
    "internal_name" TEXT,
    "icon" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "currency_iso" TEXT,
    "tax_flat_e2" BIGINT NOT NULL DEFAULT 0,
    "tax_percent" DECIMAL(5,4) NOT NULL DEFAULT 0,
    "data" JSONB NOT NULL DEFAULT '[]',
    "label_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "forms_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "forms_company_id_branch_id_id_idx" ON "forms"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "forms_company_id_type_id_idx" ON "forms"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "forms_company_id_name_id_idx" ON "forms"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "forms_company_id_disabled_id_idx" ON "forms"("company_id", "disabled", "id");

-- CreateIndex
CREATE INDEX "forms_company_id_created_at_id_idx" ON "forms"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "forms_company_id_updated_at_id_idx" ON "forms"("company_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "forms_company_id_label_key_key" ON "forms"("company_id", "label_key");

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_company_id_label_key_fkey" FOREIGN KEY ("company_id", "label_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE forms ADD CONSTRAINT forms_currency_iso_check CHECK (((char_length(currency_iso) >= 3) AND (char_length(currency_iso) <= 8)));

ALTER TABLE forms ADD CONSTRAINT forms_currency_of_tax_check CHECK (((currency_iso IS NOT NULL) OR ((tax_flat_e2 = 0) AND (tax_percent = (0)::numeric))));

ALTER TABLE forms ADD CONSTRAINT forms_data_check CHECK ((jsonb_typeof(data) = 'array'::text));

ALTER TABLE forms ADD CONSTRAINT forms_icon_check CHECK ((icon >= 0));

ALTER TABLE forms ADD CONSTRAINT forms_internal_name_check CHECK (((internal_name ~ '^[a-z0-9]+_(pm|ci)$'::text) AND (char_length(internal_name) <= 64)));

ALTER TABLE forms ADD CONSTRAINT forms_name_check CHECK ((char_length(name) <= 32));

ALTER TABLE forms ADD CONSTRAINT forms_tax_check CHECK (((tax_flat_e2 >= 0) AND ((tax_percent >= (0)::numeric) AND (tax_percent <= (1)::numeric))));

ALTER TABLE forms ADD CONSTRAINT forms_type_check CHECK ((type = ANY (ARRAY[1, 2])));

CREATE TRIGGER forms_audit AFTER INSERT OR DELETE OR UPDATE ON public.forms FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('form');

CREATE TRIGGER forms_label AFTER INSERT OR DELETE OR UPDATE OF label_key ON public.forms FOR EACH ROW EXECUTE FUNCTION own_file('label_key');

CREATE TRIGGER forms_updated_at BEFORE UPDATE OF updated_at ON public.forms FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

-- Filters by a part of a text, and what the planner has to know for them.
CREATE INDEX "forms_texts_idx" ON "forms" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE STATISTICS "forms_name_folded" ON (folded("name")) FROM "forms";
ALTER STATISTICS "forms_name_folded" SET STATISTICS 200;
