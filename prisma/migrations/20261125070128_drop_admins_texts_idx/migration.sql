DROP INDEX CONCURRENTLY "admins_texts_idx";
