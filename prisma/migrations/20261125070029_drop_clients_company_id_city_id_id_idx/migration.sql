DROP INDEX CONCURRENTLY "clients_company_id_city_id_id_idx";
