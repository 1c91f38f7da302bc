DROP INDEX CONCURRENTLY "invoice_documents_texts_idx";
