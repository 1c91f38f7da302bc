DROP INDEX CONCURRENTLY "company_events_company_id_type_id_idx";
