DROP INDEX CONCURRENTLY "goods_company_id_type_id_idx";
