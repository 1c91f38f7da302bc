-- Every row keeps these checks, whoever writes it.

ALTER TABLE "chat_rooms"
    ADD CONSTRAINT "chat_rooms_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "chat_rooms_image_url_check" CHECK (char_length("image_url") <= 2048),
    ADD CONSTRAINT "chat_rooms_channel_check" CHECK (char_length("channel") BETWEEN 1 AND 255),
    ADD CONSTRAINT "chat_rooms_target_type_check" CHECK (char_length("target_type") <= 64);
