DROP INDEX CONCURRENTLY "admins_company_id_branch_id_id_idx";
