-- Returns of a good's words (see "good_words_of") those by which an index finds it: the words of all texts, and names as a
-- whole. What follows from others is left out: words of the name alone, which are among those of all texts; what is
-- one word as a whole; and words of letters and digits together where their parts are words of the good (see "search_term").
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT entry
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN ':' THEN word !~ '^#.*[^0-9]'
                    OR NOT ARRAY(SELECT company || ':' || part FROM unnest(public.search_parts(substr(word, 2))) AS part) <@ entries
               WHEN '=' THEN replace(word, '#', '') <> ALL (ARRAY(
                    SELECT replace(substr(other, char_length(company) + 2), '#', '') FROM unnest(entries) AS other
                     WHERE substr(other, char_length(company) + 1, 1) = ':'))
               ELSE false END))
      FROM (SELECT tsvector_to_array(_words) AS entries) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company) AS owner
$$;
