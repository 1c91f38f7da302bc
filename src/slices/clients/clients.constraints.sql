-- Every row keeps these checks, whoever writes it.

ALTER TABLE "clients"
    ADD CONSTRAINT "clients_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "clients_email_check" CHECK (char_length("email") BETWEEN 1 AND 254);

-- Two changes of a row are a second apart at least, as moments are shown.
CREATE TRIGGER "clients_updated_at" BEFORE UPDATE OF "updated_at" ON "clients" FOR EACH ROW
    WHEN (date_trunc('second', NEW."updated_at") <= date_trunc('second', OLD."updated_at"))
    EXECUTE FUNCTION "advance_updated_at"();
