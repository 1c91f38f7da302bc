DROP INDEX CONCURRENTLY "goods_company_id_weight_id_idx";
