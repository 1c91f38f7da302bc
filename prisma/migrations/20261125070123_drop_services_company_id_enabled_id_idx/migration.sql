DROP INDEX CONCURRENTLY "services_company_id_enabled_id_idx";
