-- CreateTable
CREATE TABLE "order_items" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "good_id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_items_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "order_items_company_id_good_id_idx" ON "order_items"("company_id", "good_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_items_company_id_order_id_good_id_key" ON "order_items"("company_id", "order_id", "good_id");

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE order_items ADD CONSTRAINT order_items_quantity_check CHECK ((quantity >= 1));

CREATE TRIGGER order_items_audit AFTER INSERT OR DELETE OR UPDATE ON public.order_items FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('order_item');
