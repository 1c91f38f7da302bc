-- CreateTable
CREATE TABLE "cart_items" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "cart_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "branch_good_id" INTEGER,
    "provider_id" INTEGER,
    "quantity" INTEGER NOT NULL,
    "stock" DECIMAL(14,3),
    "stock_taken" DECIMAL(14,3) NOT NULL,
    "extras" JSONB,
    "notes" TEXT,
    "snapshot" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cart_items_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "cart_items_company_id_cart_id_id_idx" ON "cart_items"("company_id", "cart_id", "id");

-- CreateIndex
CREATE INDEX "cart_items_company_id_cart_id_good_id_id_idx" ON "cart_items"("company_id", "cart_id", "good_id", "id");

-- CreateIndex
CREATE INDEX "cart_items_company_id_good_id_id_idx" ON "cart_items"("company_id", "good_id", "id");

-- CreateIndex
CREATE INDEX "cart_items_company_id_provider_id_id_idx" ON "cart_items"("company_id", "provider_id", "id");

-- CreateIndex
CREATE INDEX "cart_items_company_id_cart_id_created_at_id_idx" ON "cart_items"("company_id", "cart_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_company_id_cart_id_fkey" FOREIGN KEY ("company_id", "cart_id") REFERENCES "carts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_company_id_provider_id_fkey" FOREIGN KEY ("company_id", "provider_id") REFERENCES "providers"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE cart_items ADD CONSTRAINT cart_items_extras_check CHECK ((jsonb_typeof(extras) = 'array'::text));

ALTER TABLE cart_items ADD CONSTRAINT cart_items_notes_check CHECK ((char_length(notes) <= 255));

ALTER TABLE cart_items ADD CONSTRAINT cart_items_quantity_check CHECK ((quantity >= 1));

ALTER TABLE cart_items ADD CONSTRAINT cart_items_snapshot_check CHECK ((jsonb_typeof(snapshot) = 'object'::text));

ALTER TABLE cart_items ADD CONSTRAINT cart_items_stock_check CHECK ((stock > (0)::numeric));

ALTER TABLE cart_items ADD CONSTRAINT cart_items_stock_taken_check CHECK (((stock_taken > (0)::numeric) AND (stock_taken >= stock)));

CREATE TRIGGER cart_items_audit AFTER INSERT OR DELETE OR UPDATE ON public.cart_items FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('cart_item');

CREATE TRIGGER cart_items_updated_at BEFORE UPDATE OF updated_at ON public.cart_items FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();
