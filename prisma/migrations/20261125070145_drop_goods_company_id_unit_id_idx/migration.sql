DROP INDEX CONCURRENTLY "goods_company_id_unit_id_idx";
