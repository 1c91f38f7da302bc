DROP INDEX CONCURRENTLY "coupons_company_id_applies_to_id_idx";
