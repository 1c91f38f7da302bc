CREATE INDEX CONCURRENTLY "search_synonyms_texts_idx_new" ON public.search_synonyms USING gin (company_id, search_phrases(texts));
