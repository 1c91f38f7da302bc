DROP INDEX CONCURRENTLY "admins_company_id_email_id_idx";
