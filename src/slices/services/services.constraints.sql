-- Every row keeps these checks, whoever writes it.

ALTER TABLE "services"
    ADD CONSTRAINT "services_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "service_charges"
    ADD CONSTRAINT "service_charges_name_check" CHECK (char_length("name") <= 255);

-- Two changes of a row are a second apart at least, as moments are shown.
CREATE TRIGGER "services_updated_at" BEFORE UPDATE OF "updated_at" ON "services" FOR EACH ROW
    WHEN (date_trunc('second', NEW."updated_at") <= date_trunc('second', OLD."updated_at"))
    EXECUTE FUNCTION "advance_updated_at"();
CREATE TRIGGER "service_charges_updated_at" BEFORE UPDATE OF "updated_at" ON "service_charges" FOR EACH ROW
    WHEN (date_trunc('second', NEW."updated_at") <= date_trunc('second', OLD."updated_at"))
    EXECUTE FUNCTION "advance_updated_at"();
