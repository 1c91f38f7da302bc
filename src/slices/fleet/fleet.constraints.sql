-- Every row keeps these checks, whoever writes it.

ALTER TABLE "fleets"
    ADD CONSTRAINT "fleets_name_check" CHECK (char_length("name") <= 255);
