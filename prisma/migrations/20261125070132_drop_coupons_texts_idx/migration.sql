DROP INDEX CONCURRENTLY "coupons_texts_idx";
