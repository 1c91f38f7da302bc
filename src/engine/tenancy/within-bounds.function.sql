-- Refuses a row that somebody who is bound to shops has written beyond them: one of another shop is as if it did not exist, one of
-- the whole company is read alone.
CREATE OR REPLACE FUNCTION "within_bounds"(_is_written boolean, _is_read boolean) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF _is_written THEN
        RETURN true;
    END IF;
    IF _is_read THEN
        RAISE EXCEPTION 'a row of the whole company is read alone' USING ERRCODE = 'SB403';
    END IF;
    RAISE EXCEPTION 'a row is beyond the bounds' USING ERRCODE = 'SB404';
END
$$;
