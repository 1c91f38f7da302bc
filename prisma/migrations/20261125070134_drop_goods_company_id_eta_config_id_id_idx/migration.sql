DROP INDEX CONCURRENTLY "goods_company_id_eta_config_id_id_idx";
