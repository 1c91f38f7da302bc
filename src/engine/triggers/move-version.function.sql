-- Moves the version of a row on when anything of it changes, or when its version is moved because a part of it has changed,
-- and takes the moment from the clock. A change of nothing leaves both as they are. Moments are shown by the second: the row
-- says whether an earlier state of it had the same. Columns that the database makes of others have no value yet: the trigger
-- names them.
CREATE OR REPLACE FUNCTION "move_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _now CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp());
BEGIN
    NEW."updated_at" := OLD."updated_at";
    IF NEW."version" = OLD."version" THEN
        IF TG_NARGS = 0 THEN
            IF NEW *= OLD THEN RETURN NEW; END IF;
        ELSIF to_jsonb(NEW) - TG_ARGV[0]::text[] = to_jsonb(OLD) - TG_ARGV[0]::text[] THEN
            RETURN NEW;
        END IF;
    END IF;
    NEW."version" := OLD."version" + 1;
    NEW."shares_second" := date_trunc('second', OLD."updated_at") >= date_trunc('second', _now);
    NEW."updated_at" := _now;
    RETURN NEW;
END
$$;
