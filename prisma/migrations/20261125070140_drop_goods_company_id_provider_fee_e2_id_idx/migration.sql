DROP INDEX CONCURRENTLY "goods_company_id_provider_fee_e2_id_idx";
