DROP INDEX CONCURRENTLY "coupons_company_id_status_type_id_idx";
