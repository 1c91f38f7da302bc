COMMENT ON INDEX search_synonyms_texts_idx IS 'A search finds the groups of synonyms that have words of its text.';
