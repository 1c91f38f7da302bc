DROP INDEX CONCURRENTLY "goods_company_id_eta_id_idx";
