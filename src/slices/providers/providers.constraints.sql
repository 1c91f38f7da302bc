-- Every row keeps these checks, whoever writes it.

ALTER TABLE "providers"
    ADD CONSTRAINT "providers_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "providers_email_check" CHECK (char_length("email") BETWEEN 1 AND 254);
