DROP INDEX CONCURRENTLY "admins_company_id_city_id_id_idx";
