-- Moves the moment of a change on to the second after that of the change before it: moments are shown by the second,
-- so callers can distinguish two changes. For triggers of tables whose rows callers change.
CREATE OR REPLACE FUNCTION "advance_updated_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."updated_at" := date_trunc('second', OLD."updated_at") + interval '1 second';
    RETURN NEW;
END
$$;
