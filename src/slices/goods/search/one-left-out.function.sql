-- Returns a word without each of its characters in turn, and the word itself. Two words have one of these in common when
-- one character is wrong, missing, too many, or has changed places with its neighbour. The cost leads the planner to the index of words also where they are few.
CREATE OR REPLACE FUNCTION "one_left_out"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 3000 AS $$
    SELECT ARRAY(SELECT overlay(_word PLACING '' FROM place FOR 1) FROM generate_series(1, char_length(_word)) AS place) || _word
$$;
