DROP INDEX CONCURRENTLY "coupons_company_id_target_type_id_idx";
