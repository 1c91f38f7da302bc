DROP INDEX CONCURRENTLY "good_properties_texts_idx";
