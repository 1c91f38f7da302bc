DROP INDEX CONCURRENTLY "clients_company_id_lower_email_idx";
