-- Returns the codes that a code of letters and digits may be meant for: with two neighbours changed in their places, or with one letter
-- wrong, too many or missing. All of its digits are there: with another digit it is another code. They are few, however many codes a
-- company has that begin alike.
CREATE OR REPLACE FUNCTION "code_slips"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH code AS MATERIALIZED (SELECT substr(_word, 2) AS body),
         places AS MATERIALIZED (SELECT body, place, substr(body, place, 1) AS own FROM code, generate_series(1, char_length(body)) AS place),
         letters AS MATERIALIZED (SELECT chr(number) AS letter FROM generate_series(97, 122) AS number)
    SELECT coalesce(array_agg(DISTINCT '#' || slip), '{}')
      FROM (SELECT overlay(body PLACING reverse(substr(body, place, 2)) FROM place FOR 2) AS slip FROM places WHERE place < char_length(body)
             UNION ALL
            SELECT overlay(body PLACING '' FROM place FOR 1) FROM places WHERE own !~ '[0-9]'
             UNION ALL
            SELECT overlay(body PLACING letter FROM place FOR 1) FROM places, letters WHERE own !~ '[0-9]'
             UNION ALL
            SELECT overlay(body PLACING letter FROM place FOR 0) FROM places, letters
             UNION ALL
            SELECT body || letter FROM code, letters) AS slips
     WHERE slip <> substr(_word, 2)
$$;
