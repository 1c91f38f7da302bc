-- Every row keeps these checks, whoever writes it.

ALTER TABLE "clients"
    ADD CONSTRAINT "clients_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "clients_email_check" CHECK (char_length("email") BETWEEN 1 AND 254);
