-- Two changes of a row are a second apart at least, as moments are shown.
CREATE TRIGGER "carts_updated_at" BEFORE UPDATE OF "updated_at" ON "carts" FOR EACH ROW
    WHEN (date_trunc('second', NEW."updated_at") <= date_trunc('second', OLD."updated_at"))
    EXECUTE FUNCTION "advance_updated_at"();
