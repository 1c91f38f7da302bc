DROP INDEX CONCURRENTLY "properties_company_id_disabled_id_idx";
