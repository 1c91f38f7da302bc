DROP INDEX CONCURRENTLY "fleets_company_id_enabled_id_idx";
