DROP INDEX CONCURRENTLY "goods_company_id_label_id_idx";
