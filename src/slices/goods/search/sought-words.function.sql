-- Returns of a good's words (see "good_words_of") those that its index has: each word of the texts once, that of the name as one of the
-- name, and the blocks of what is found as a whole (see "whole_block"). What follows from them is left out, and a query is led to what
-- it follows from (see "sought_query"): that words of the name are among those of all texts; words of letters and digits whose parts the
-- good has as well, in its name where they are of the name; and a code that is one word as a whole, since few goods have that word,
-- while very many may have one of letters. Its cost is measured: as a function like any other, a small shop's goods would each be asked for
-- their words, where the index answers ten times as fast.
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT CASE mark WHEN '=' THEN company || '=' || public.whole_block(word) ELSE entry END
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN '=' THEN word !~ '#' OR company || ':' || word <> ALL (entries) AND company || ':#' || replace(word, '#', '') <> ALL (entries)
               ELSE (mark = '.' OR company || '.' || word <> ALL (entries)) AND (
                   word !~ '^#.*[^0-9]' OR EXISTS (
                       SELECT FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') AS parts
                        WHERE company || mark || CASE WHEN parts[1] ~ '^[0-9]' THEN '#' ELSE '' END || parts[1] <> ALL (entries))) END))
      FROM (SELECT tsvector_to_array(_words) AS entries OFFSET 0) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company OFFSET 0) AS owner
$$;
