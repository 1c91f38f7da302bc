-- Every row keeps these checks, whoever writes it.

ALTER TABLE "companies"
    ADD CONSTRAINT "companies_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "companies_email_check" CHECK (char_length("email") <= 64),
    ADD CONSTRAINT "companies_domain_check" CHECK (char_length("domain") BETWEEN 1 AND 32),
    ADD CONSTRAINT "companies_custom_domain_check" CHECK (char_length("custom_domain") <= 255),
    ADD CONSTRAINT "companies_custom_domain_host_check" CHECK ("custom_domain_host" = lower("custom_domain_host") AND char_length("custom_domain_host") BETWEEN 1 AND 255),
    ADD CONSTRAINT "companies_custom_domain_pair_check" CHECK (("custom_domain" IS NULL) = ("custom_domain_host" IS NULL)),
    ADD CONSTRAINT "companies_extension_days_check" CHECK ("extension_days" >= 0),
    ADD CONSTRAINT "companies_options_check" CHECK ("options" >= 0),
    ADD CONSTRAINT "companies_default_iso_lang_check" CHECK (char_length("default_iso_lang") = 2),
    ADD CONSTRAINT "companies_country_iso_check" CHECK (char_length("country_iso") <= 2),
    ADD CONSTRAINT "companies_time_zone_offset_check" CHECK ("time_zone_offset" ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "companies_strings_json_check" CHECK (jsonb_typeof("strings_json") = 'object'),
    ADD CONSTRAINT "companies_styles_json_check" CHECK (jsonb_typeof("styles_json") = 'object'),
    ADD CONSTRAINT "companies_custom_json_check" CHECK (jsonb_typeof("custom_json") = 'object');

ALTER TABLE "company_settings"
    ADD CONSTRAINT "company_settings_data_check" CHECK (jsonb_typeof("data") = 'object'),
    ADD CONSTRAINT "company_settings_secrets_check" CHECK (jsonb_typeof("secrets") = 'object');

-- The settings own the file of the default banner.
CREATE TRIGGER "company_settings_banner" AFTER INSERT OR DELETE OR UPDATE OF "data" ON "company_settings"
    FOR EACH ROW EXECUTE FUNCTION "own_file"('data', 'defaultPromotedBanner');
