DROP INDEX CONCURRENTLY "admins_company_id_branch_group_id_id_idx";
