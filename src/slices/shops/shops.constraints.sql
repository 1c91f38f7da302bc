-- Every row keeps these checks, whoever writes it.

ALTER TABLE "cities"
    ADD CONSTRAINT "cities_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "cities_country_iso_check" CHECK (char_length("country_iso") <= 2),
    ADD CONSTRAINT "cities_latitude_e6_check" CHECK ("latitude_e6" BETWEEN -90000000 AND 90000000),
    ADD CONSTRAINT "cities_longitude_e6_check" CHECK ("longitude_e6" BETWEEN -180000000 AND 180000000);

ALTER TABLE "branch_categories"
    ADD CONSTRAINT "branch_categories_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "branch_categories_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "branch_groups"
    ADD CONSTRAINT "branch_groups_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "branches"
    ADD CONSTRAINT "branches_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "branches_latitude_e6_check" CHECK ("latitude_e6" BETWEEN -90000000 AND 90000000),
    ADD CONSTRAINT "branches_longitude_e6_check" CHECK ("longitude_e6" BETWEEN -180000000 AND 180000000),
    ADD CONSTRAINT "branches_time_zone_offset_check" CHECK ("time_zone_offset" ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "branches_opening_hours_check" CHECK (jsonb_typeof("opening_hours") IN ('object', 'array'));

ALTER TABLE "geofences"
    ADD CONSTRAINT "geofences_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "geofences_data_check" CHECK (jsonb_typeof("data") = 'object');
