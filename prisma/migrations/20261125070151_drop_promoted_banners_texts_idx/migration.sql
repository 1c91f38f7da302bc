DROP INDEX CONCURRENTLY "promoted_banners_texts_idx";
