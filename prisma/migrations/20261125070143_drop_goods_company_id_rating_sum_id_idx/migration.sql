DROP INDEX CONCURRENTLY "goods_company_id_rating_sum_id_idx";
