DROP INDEX CONCURRENTLY "clients_texts_idx";
