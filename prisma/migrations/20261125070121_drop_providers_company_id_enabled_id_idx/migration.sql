DROP INDEX CONCURRENTLY "providers_company_id_enabled_id_idx";
