DROP INDEX CONCURRENTLY "goods_company_id_max_quantity_id_idx";
