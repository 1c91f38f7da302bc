DROP INDEX CONCURRENTLY "chat_rooms_company_id_is_enabled_id_idx";
