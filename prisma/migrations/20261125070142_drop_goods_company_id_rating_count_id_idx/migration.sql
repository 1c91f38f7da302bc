DROP INDEX CONCURRENTLY "goods_company_id_rating_count_id_idx";
