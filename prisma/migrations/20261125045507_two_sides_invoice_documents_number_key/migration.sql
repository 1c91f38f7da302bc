CREATE UNIQUE INDEX CONCURRENTLY "invoice_documents_number_key" ON public.invoice_documents USING btree (company_id, type, number) WHERE (owns_numbers AND (number IS NOT NULL));
