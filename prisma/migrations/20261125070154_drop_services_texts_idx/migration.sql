DROP INDEX CONCURRENTLY "services_texts_idx";
