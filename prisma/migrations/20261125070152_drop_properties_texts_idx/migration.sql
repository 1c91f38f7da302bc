DROP INDEX CONCURRENTLY "properties_texts_idx";
