DROP INDEX CONCURRENTLY "admins_company_id_status_id_idx";
