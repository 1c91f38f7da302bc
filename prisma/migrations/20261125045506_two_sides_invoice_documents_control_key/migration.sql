CREATE UNIQUE INDEX CONCURRENTLY "invoice_documents_control_key" ON public.invoice_documents USING btree (company_id, type, control) WHERE (owns_numbers AND (control IS NOT NULL));
