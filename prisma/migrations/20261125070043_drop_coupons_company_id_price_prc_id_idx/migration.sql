DROP INDEX CONCURRENTLY "coupons_company_id_price_prc_id_idx";
