-- Every row keeps these checks, whoever writes it.

ALTER TABLE "invoice_documents"
    ADD CONSTRAINT "invoice_documents_type_check" CHECK (char_length("type") BETWEEN 1 AND 64),
    ADD CONSTRAINT "invoice_documents_reference_check" CHECK (char_length("reference") <= 255),
    ADD CONSTRAINT "invoice_documents_document_id_check" CHECK ("document_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
    ADD CONSTRAINT "invoice_documents_related_document_id_check" CHECK ("related_document_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
    ADD CONSTRAINT "invoice_documents_refund_check" CHECK ("refund_of_id" IS NULL OR "related_document_id" IS NOT NULL AND "refund_of_id" <> "id"),
    ADD CONSTRAINT "invoice_documents_amount_e2_check" CHECK ("amount_e2" BETWEEN 0 AND 9007199254740991);
