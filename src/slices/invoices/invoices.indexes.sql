-- A number and a control number are given once in a company and type. Documents from before that was asked for may have the same.
CREATE UNIQUE INDEX "invoice_documents_number_key" ON "invoice_documents"("company_id", "type", "number") WHERE "owns_numbers" AND "number" IS NOT NULL;
CREATE UNIQUE INDEX "invoice_documents_control_key" ON "invoice_documents"("company_id", "type", "control") WHERE "owns_numbers" AND "control" IS NOT NULL;
