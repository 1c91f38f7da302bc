DROP INDEX CONCURRENTLY "cities_company_id_enabled_id_idx";
