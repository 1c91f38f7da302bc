-- A number with its two leading digits alone: 1,234 is 1,200; below 100 it is exact. It is in PL/pgSQL because a function in
-- SQL would be read anew for each statement that has it in the condition of a trigger.
CREATE OR REPLACE FUNCTION "rough_count"(_count integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN trunc(_count::numeric, 2 - length(_count::text))::integer;
END
$$;
