DROP INDEX CONCURRENTLY "chat_rooms_company_id_is_private_id_idx";
