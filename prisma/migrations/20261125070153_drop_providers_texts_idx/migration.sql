DROP INDEX CONCURRENTLY "providers_texts_idx";
