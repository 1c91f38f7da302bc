DROP INDEX CONCURRENTLY "geofences_company_id_enabled_id_idx";
