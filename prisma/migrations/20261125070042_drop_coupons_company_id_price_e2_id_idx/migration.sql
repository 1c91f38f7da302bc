DROP INDEX CONCURRENTLY "coupons_company_id_price_e2_id_idx";
