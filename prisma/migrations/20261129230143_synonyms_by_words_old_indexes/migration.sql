DROP INDEX IF EXISTS search_synonyms_texts_idx;
ALTER INDEX "search_synonyms_texts_idx_new" RENAME TO "search_synonyms_texts_idx";
