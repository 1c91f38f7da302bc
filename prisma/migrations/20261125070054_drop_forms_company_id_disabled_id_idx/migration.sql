DROP INDEX CONCURRENTLY "forms_company_id_disabled_id_idx";
