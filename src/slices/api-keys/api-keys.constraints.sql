-- Every row keeps these checks, whoever writes it.

ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_name_check" CHECK (char_length("name") BETWEEN 1 AND 64),
    ADD CONSTRAINT "api_keys_previous_check" CHECK (("previous_hash" IS NULL) = ("previous_ends_at" IS NULL)),
    ADD CONSTRAINT "api_keys_made_by_key_check" CHECK ("made_by_key_id" < "id");
