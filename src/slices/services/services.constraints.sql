-- Every row keeps these checks, whoever writes it.

ALTER TABLE "services"
    ADD CONSTRAINT "services_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "service_charges"
    ADD CONSTRAINT "service_charges_name_check" CHECK (char_length("name") <= 255);
