DROP INDEX CONCURRENTLY "coupons_company_id_branch_id_id_idx";
