DROP INDEX CONCURRENTLY "admins_company_id_admin_type_id_id_idx";
