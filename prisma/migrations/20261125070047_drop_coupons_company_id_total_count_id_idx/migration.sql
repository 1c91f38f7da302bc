DROP INDEX CONCURRENTLY "coupons_company_id_total_count_id_idx";
