DROP INDEX CONCURRENTLY "chat_rooms_company_id_target_type_id_idx";
