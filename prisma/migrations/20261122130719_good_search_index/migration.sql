CREATE INDEX CONCURRENTLY "goods_search_words_idx" ON "goods" USING gin ("search_words") WHERE "deleted_at" IS NULL;
