-- Returns the words of a folded text as goods are found by them: without punctuation, apart where letters and digits meet.
-- A word with digits stands behind "#".
CREATE OR REPLACE FUNCTION "search_parts"(_folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT CASE WHEN word ~ '[0-9]' THEN '#' ELSE '' END || left(word, 64)
          FROM regexp_split_to_table(
                   regexp_replace(_folded, '(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])', ' ', 'g'),
                   '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+') AS word
         WHERE word <> '')
$$;
