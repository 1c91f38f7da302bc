DROP INDEX CONCURRENTLY "goods_company_id_good_type_id_id_idx";
