DROP INDEX CONCURRENTLY "services_company_id_type_id_idx";
