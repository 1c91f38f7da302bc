DROP INDEX CONCURRENTLY "admins_company_id_phone_id_idx";
