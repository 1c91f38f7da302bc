DROP INDEX CONCURRENTLY "goods_texts_idx";
