DROP INDEX CONCURRENTLY "invoice_documents_company_id_type_id_idx";
