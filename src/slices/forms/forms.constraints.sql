-- Every row keeps these checks, whoever writes it.

ALTER TABLE "forms"
    ADD CONSTRAINT "forms_type_check" CHECK ("type" IN (1, 2)),
    ADD CONSTRAINT "forms_name_check" CHECK (char_length("name") <= 32),
    ADD CONSTRAINT "forms_internal_name_check" CHECK ("internal_name" ~ '^[a-z0-9]+_(pm|ci)$' AND char_length("internal_name") <= 64),
    ADD CONSTRAINT "forms_icon_check" CHECK ("icon" >= 0),
    ADD CONSTRAINT "forms_data_check" CHECK (jsonb_typeof("data") = 'array'),
    ADD CONSTRAINT "forms_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8),
    ADD CONSTRAINT "forms_tax_check" CHECK ("tax_flat_e2" >= 0 AND "tax_percent" BETWEEN 0 AND 1),
    -- A tax is told in a currency.
    ADD CONSTRAINT "forms_currency_of_tax_check" CHECK ("currency_iso" IS NOT NULL OR ("tax_flat_e2" = 0 AND "tax_percent" = 0));

-- A form owns the file of its label.
CREATE TRIGGER "forms_label" AFTER INSERT OR DELETE OR UPDATE OF "label_key" ON "forms" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('label_key');
