DROP INDEX CONCURRENTLY "coupons_company_id_promo_code_id_idx";
