DROP INDEX CONCURRENTLY "coupons_company_id_deleted_at_id_idx";
