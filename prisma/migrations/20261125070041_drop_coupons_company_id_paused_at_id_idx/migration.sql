DROP INDEX CONCURRENTLY "coupons_company_id_paused_at_id_idx";
