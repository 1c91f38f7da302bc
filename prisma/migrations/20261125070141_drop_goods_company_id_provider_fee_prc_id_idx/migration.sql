DROP INDEX CONCURRENTLY "goods_company_id_provider_fee_prc_id_idx";
