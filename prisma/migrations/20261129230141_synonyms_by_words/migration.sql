-- Returns the words of each text of a list as goods are found by them (see "search_parts"), with a space between: "T-Shirt" and "t shirt"
-- are the same phrase.
CREATE OR REPLACE FUNCTION "search_phrases"(_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT array_to_string(public.search_parts(public.folded(item)), ' ')
                   FROM unnest(_texts) WITH ORDINALITY AS t (item, place) ORDER BY place)
$$;
