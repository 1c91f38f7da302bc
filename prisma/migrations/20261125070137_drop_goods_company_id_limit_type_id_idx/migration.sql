DROP INDEX CONCURRENTLY "goods_company_id_limit_type_id_idx";
