DROP INDEX CONCURRENTLY "chat_rooms_texts_idx";
