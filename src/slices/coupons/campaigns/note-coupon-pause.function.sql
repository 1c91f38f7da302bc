-- Notes a pause of a coupon that is over: see pauses-over.sql.ts.
CREATE OR REPLACE FUNCTION "note_coupon_pause"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_pauses" ("company_id", "coupon_id", "began_at", "ended_at")
    VALUES (NEW."company_id", NEW."id", OLD."paused_at", NEW."updated_at");
    RETURN NULL;
END
$$;
