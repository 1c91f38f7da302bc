-- Every row keeps these checks, whoever writes it.

ALTER TABLE "client_addresses"
    ADD CONSTRAINT "client_addresses_name_check" CHECK (char_length("name") BETWEEN 1 AND 32),
    ADD CONSTRAINT "client_addresses_type_check" CHECK ("type" IN ('delivery', 'shipping', 'legacy')),
    ADD CONSTRAINT "client_addresses_address_check" CHECK (char_length("address") BETWEEN 1 AND 255),
    ADD CONSTRAINT "client_addresses_address_line_1_check" CHECK (char_length("address_line_1") BETWEEN 1 AND 255),
    ADD CONSTRAINT "client_addresses_address_line_2_check" CHECK (char_length("address_line_2") BETWEEN 1 AND 255),
    ADD CONSTRAINT "client_addresses_address_line_3_check" CHECK (char_length("address_line_3") BETWEEN 1 AND 255),
    ADD CONSTRAINT "client_addresses_reference_check" CHECK (char_length("reference") BETWEEN 1 AND 255),
    ADD CONSTRAINT "client_addresses_country_check" CHECK (char_length("country") <= 80),
    ADD CONSTRAINT "client_addresses_state_check" CHECK (char_length("state") <= 80),
    ADD CONSTRAINT "client_addresses_city_check" CHECK (char_length("city") <= 80),
    ADD CONSTRAINT "client_addresses_postal_code_check" CHECK (char_length("postal_code") <= 16),
    ADD CONSTRAINT "client_addresses_latitude_e6_check" CHECK ("latitude_e6" BETWEEN -90000000 AND 90000000),
    ADD CONSTRAINT "client_addresses_longitude_e6_check" CHECK ("longitude_e6" BETWEEN -180000000 AND 180000000),
    -- A point has both coordinates.
    ADD CONSTRAINT "client_addresses_point_check" CHECK (("latitude_e6" IS NULL) = ("longitude_e6" IS NULL)),
    -- What each type needs.
    ADD CONSTRAINT "client_addresses_untyped_check" CHECK (
        coalesce("type" IN ('delivery', 'shipping'), false) OR "address" IS NOT NULL),
    ADD CONSTRAINT "client_addresses_typed_check" CHECK (
        "type" IS NULL OR "type" = 'legacy' OR ("address_line_1" IS NOT NULL AND "country" <> '')),
    ADD CONSTRAINT "client_addresses_delivery_check" CHECK ("type" <> 'delivery' OR "latitude_e6" IS NOT NULL),
    ADD CONSTRAINT "client_addresses_shipping_check" CHECK (
        "type" <> 'shipping' OR (
            "address_line_2" IS NOT NULL AND "address_line_3" IS NOT NULL AND "postal_code" <> '' AND "state" <> ''
            AND "city" <> ''));
