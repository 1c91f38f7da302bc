DROP INDEX CONCURRENTLY "branch_groups_company_id_enabled_id_idx";
