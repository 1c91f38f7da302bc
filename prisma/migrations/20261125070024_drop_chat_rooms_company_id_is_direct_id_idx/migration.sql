DROP INDEX CONCURRENTLY "chat_rooms_company_id_is_direct_id_idx";
