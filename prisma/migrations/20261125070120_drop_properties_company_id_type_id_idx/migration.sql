DROP INDEX CONCURRENTLY "properties_company_id_type_id_idx";
