-- Every row keeps these checks, whoever writes it.

ALTER TABLE "fleets"
    ADD CONSTRAINT "fleets_name_check" CHECK (char_length("name") <= 255);

-- Two changes of a row are a second apart at least, as moments are shown.
CREATE TRIGGER "fleets_updated_at" BEFORE UPDATE OF "updated_at" ON "fleets" FOR EACH ROW
    WHEN (date_trunc('second', NEW."updated_at") <= date_trunc('second', OLD."updated_at"))
    EXECUTE FUNCTION "advance_updated_at"();
