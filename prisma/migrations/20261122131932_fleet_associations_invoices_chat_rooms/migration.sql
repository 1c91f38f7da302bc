-- CreateTable
CREATE TABLE "chat_rooms" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "image_url" TEXT,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_direct" BOOLEAN NOT NULL DEFAULT false,
    "is_private" BOOLEAN NOT NULL DEFAULT false,
    "last_message_id" BIGINT,
    "channel" TEXT NOT NULL,
    "target_type" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chat_rooms_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "fleet_associations" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "branch_id" INTEGER,
    "fleet_id" INTEGER NOT NULL,
    "service_id" INTEGER NOT NULL,
    "service_charge_id" INTEGER,
    "service_type" INTEGER NOT NULL DEFAULT 0,
    "in_order" INTEGER NOT NULL DEFAULT 0,
    "fee_flat_e2" BIGINT NOT NULL DEFAULT 0,
    "fee_prc" DECIMAL(3,2) NOT NULL DEFAULT 0,
    "options" INTEGER NOT NULL DEFAULT 0,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fleet_associations_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "invoice_documents" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "document_id" TEXT,
    "payload" JSONB,
    "related_type" TEXT NOT NULL,
    "related_id" INTEGER NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" INTEGER NOT NULL,
    "related_document_id" TEXT,
    "refund_of_id" INTEGER,
    "number" INTEGER,
    "control" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_documents_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_name_id_idx" ON "chat_rooms"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_is_enabled_id_idx" ON "chat_rooms"("company_id", "is_enabled", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_is_direct_id_idx" ON "chat_rooms"("company_id", "is_direct", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_is_private_id_idx" ON "chat_rooms"("company_id", "is_private", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_last_message_id_id_idx" ON "chat_rooms"("company_id", "last_message_id", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_target_type_id_idx" ON "chat_rooms"("company_id", "target_type", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_created_at_id_idx" ON "chat_rooms"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "chat_rooms_company_id_updated_at_id_idx" ON "chat_rooms"("company_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "chat_rooms_company_id_channel_key" ON "chat_rooms"("company_id", "channel");

-- CreateIndex
CREATE INDEX "fleet_associations_id_idx" ON "fleet_associations"("id");

-- CreateIndex
CREATE INDEX "fleet_associations_in_order_id_idx" ON "fleet_associations"("in_order", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_branch_id_in_order_id_idx" ON "fleet_associations"("company_id", "branch_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_fleet_id_id_idx" ON "fleet_associations"("company_id", "fleet_id", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_service_id_id_idx" ON "fleet_associations"("company_id", "service_id", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_service_charge_id_id_idx" ON "fleet_associations"("company_id", "service_charge_id", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_service_type_id_idx" ON "fleet_associations"("company_id", "service_type", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_in_order_id_idx" ON "fleet_associations"("company_id", "in_order", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_fee_flat_e2_id_idx" ON "fleet_associations"("company_id", "fee_flat_e2", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_is_enabled_id_idx" ON "fleet_associations"("company_id", "is_enabled", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_created_at_id_idx" ON "fleet_associations"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fleet_associations_company_id_updated_at_id_idx" ON "fleet_associations"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_type_id_idx" ON "invoice_documents"("company_id", "type", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_reference_id_idx" ON "invoice_documents"("company_id", "reference", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_issued_at_id_idx" ON "invoice_documents"("company_id", "issued_at", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_completed_at_id_idx" ON "invoice_documents"("company_id", "completed_at", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_related_type_related_id_id_idx" ON "invoice_documents"("company_id", "related_type", "related_id", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_related_id_id_idx" ON "invoice_documents"("company_id", "related_id", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_target_type_target_id_id_idx" ON "invoice_documents"("company_id", "target_type", "target_id", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_target_id_id_idx" ON "invoice_documents"("company_id", "target_id", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_related_document_id_id_idx" ON "invoice_documents"("company_id", "related_document_id", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_number_id_idx" ON "invoice_documents"("company_id", "number", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_control_id_idx" ON "invoice_documents"("company_id", "control", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_created_at_id_idx" ON "invoice_documents"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_documents_company_id_updated_at_id_idx" ON "invoice_documents"("company_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_documents_company_id_document_id_key" ON "invoice_documents"("company_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_documents_company_id_refund_of_id_key" ON "invoice_documents"("company_id", "refund_of_id");

-- AddForeignKey
ALTER TABLE "chat_rooms" ADD CONSTRAINT "chat_rooms_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleet_associations" ADD CONSTRAINT "fleet_associations_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleet_associations" ADD CONSTRAINT "fleet_associations_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleet_associations" ADD CONSTRAINT "fleet_associations_company_id_fleet_id_fkey" FOREIGN KEY ("company_id", "fleet_id") REFERENCES "fleets"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleet_associations" ADD CONSTRAINT "fleet_associations_company_id_service_id_fkey" FOREIGN KEY ("company_id", "service_id") REFERENCES "services"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fleet_associations" ADD CONSTRAINT "fleet_associations_company_id_service_charge_id_fkey" FOREIGN KEY ("company_id", "service_charge_id") REFERENCES "service_charges"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice_documents" ADD CONSTRAINT "invoice_documents_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice_documents" ADD CONSTRAINT "invoice_documents_company_id_refund_of_id_fkey" FOREIGN KEY ("company_id", "refund_of_id") REFERENCES "invoice_documents"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- The associations of a service follow its type.
CREATE OR REPLACE FUNCTION "give_service_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "fleet_associations" SET "service_type" = NEW."type"
     WHERE "company_id" = NEW."company_id" AND "service_id" = NEW."id";
    RETURN NULL;
END
$$;

-- The service is locked against a change of its type until the association is there to follow it.
CREATE OR REPLACE FUNCTION "take_service_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT "type" INTO NEW."service_type" FROM "services"
     WHERE "company_id" = NEW."company_id" AND "id" = NEW."service_id" FOR SHARE;
    -- The foreign key tells of a service that does not exist.
    NEW."service_type" := coalesce(NEW."service_type", 0);
    RETURN NEW;
END
$$;

ALTER TABLE chat_rooms ADD CONSTRAINT chat_rooms_channel_check CHECK (((char_length(channel) >= 1) AND (char_length(channel) <= 255)));

ALTER TABLE chat_rooms ADD CONSTRAINT chat_rooms_image_url_check CHECK ((char_length(image_url) <= 2048));

ALTER TABLE chat_rooms ADD CONSTRAINT chat_rooms_name_check CHECK ((char_length(name) <= 255));

ALTER TABLE chat_rooms ADD CONSTRAINT chat_rooms_target_type_check CHECK ((char_length(target_type) <= 64));

ALTER TABLE fleet_associations ADD CONSTRAINT fleet_associations_fee_flat_check CHECK (((fee_flat_e2 >= 0) AND (fee_flat_e2 <= '9007199254740991'::bigint)));

ALTER TABLE fleet_associations ADD CONSTRAINT fleet_associations_fee_prc_check CHECK (((fee_prc >= (0)::numeric) AND (fee_prc <= (1)::numeric)));

ALTER TABLE fleet_associations ADD CONSTRAINT fleet_associations_in_order_check CHECK (((in_order >= 0) AND (in_order <= 1000000)));

ALTER TABLE fleet_associations ADD CONSTRAINT fleet_associations_options_check CHECK (((options >= 0) AND (options <= 3)));

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_document_id_check CHECK ((document_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text));

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_reference_check CHECK ((char_length(reference) <= 255));

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_refund_check CHECK (((refund_of_id IS NULL) OR ((related_document_id IS NOT NULL) AND (refund_of_id <> id))));

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_related_document_id_check CHECK ((related_document_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text));

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_type_check CHECK (((char_length(type) >= 1) AND (char_length(type) <= 64)));

CREATE TRIGGER chat_rooms_audit AFTER INSERT OR DELETE OR UPDATE ON public.chat_rooms FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('chat_room');

CREATE TRIGGER chat_rooms_updated_at BEFORE UPDATE OF updated_at ON public.chat_rooms FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER fleet_associations_audit AFTER INSERT OR DELETE OR UPDATE ON public.fleet_associations FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('fleet_association');

CREATE TRIGGER fleet_associations_service_type BEFORE INSERT OR UPDATE OF service_id, service_type ON public.fleet_associations FOR EACH ROW EXECUTE FUNCTION take_service_type();

CREATE TRIGGER fleet_associations_updated_at BEFORE UPDATE OF updated_at ON public.fleet_associations FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER invoice_documents_audit AFTER INSERT OR DELETE OR UPDATE ON public.invoice_documents FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('invoice_document');

CREATE TRIGGER invoice_documents_updated_at BEFORE UPDATE OF updated_at ON public.invoice_documents FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER services_type_of_associations AFTER UPDATE OF type ON public.services FOR EACH ROW WHEN ((new.type <> old.type)) EXECUTE FUNCTION give_service_type();

-- The indexes of texts, and what the planner has to know of them.
CREATE INDEX "chat_rooms_texts_idx" ON "chat_rooms" USING gin ("company_id", folded("name") gin_trgm_ops);
CREATE STATISTICS "chat_rooms_name_folded" ON (folded("name")) FROM "chat_rooms";
ALTER STATISTICS "chat_rooms_name_folded" SET STATISTICS 200;

CREATE INDEX "invoice_documents_texts_idx" ON "invoice_documents" USING gin ("company_id", folded("reference") gin_trgm_ops);
CREATE STATISTICS "invoice_documents_reference_folded" ON (folded("reference")) FROM "invoice_documents";
ALTER STATISTICS "invoice_documents_reference_folded" SET STATISTICS 200;
