-- Every row keeps these checks, whoever writes it.

ALTER TABLE "branch_good_properties"
    ADD CONSTRAINT "branch_good_properties_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "branch_good_properties_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "properties"
    ADD CONSTRAINT "properties_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "properties_type_check" CHECK ("type" >= 0);

ALTER TABLE "property_options"
    ADD CONSTRAINT "property_options_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "property_options_price_e2_check" CHECK ("price_e2" >= 0),
    ADD CONSTRAINT "property_options_in_order_check" CHECK ("in_order" >= 0);

ALTER TABLE "property_ranges"
    ADD CONSTRAINT "property_ranges_max_check" CHECK ("max" > "min"),
    ADD CONSTRAINT "property_ranges_decimates_check" CHECK ("decimates" BETWEEN 0 AND 3),
    ADD CONSTRAINT "property_ranges_step_check" CHECK ("step" >= 1),
    ADD CONSTRAINT "property_ranges_default_value_check" CHECK ("default_value" BETWEEN "min" AND "max"),
    ADD CONSTRAINT "property_ranges_base_price_e2_check" CHECK ("base_price_e2" >= 0),
    ADD CONSTRAINT "property_ranges_step_price_e2_check" CHECK ("step_price_e2" >= 0),
    ADD CONSTRAINT "property_ranges_unit_check" CHECK (char_length("unit") <= 8);

ALTER TABLE "property_texts"
    ADD CONSTRAINT "property_texts_regex_check" CHECK (char_length("regex") <= 255),
    ADD CONSTRAINT "property_texts_hint_check" CHECK (char_length("hint") <= 64);

ALTER TABLE "good_properties"
    ADD CONSTRAINT "good_properties_display_name_check" CHECK (char_length("display_name") <= 64),
    ADD CONSTRAINT "good_properties_options_check" CHECK ("options" >= 0),
    ADD CONSTRAINT "good_properties_in_order_check" CHECK ("in_order" >= 0);
