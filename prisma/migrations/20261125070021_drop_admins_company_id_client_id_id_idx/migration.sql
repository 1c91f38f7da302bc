DROP INDEX CONCURRENTLY "admins_company_id_client_id_id_idx";
