-- Only choices of properties of type options need a name; the service sees to that.
ALTER TABLE "property_options"
    DROP CONSTRAINT "property_options_name_check",
    ADD CONSTRAINT "property_options_name_check" CHECK (char_length("name") <= 64);
