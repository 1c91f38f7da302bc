DROP INDEX CONCURRENTLY "clients_company_id_external_id_id_idx";
