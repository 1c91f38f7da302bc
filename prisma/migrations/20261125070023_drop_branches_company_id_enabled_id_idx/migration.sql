DROP INDEX CONCURRENTLY "branches_company_id_enabled_id_idx";
