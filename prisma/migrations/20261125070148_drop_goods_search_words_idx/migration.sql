DROP INDEX CONCURRENTLY "goods_search_words_idx";
