-- Returns one word of a query, behind the company and the mark, as the index of goods is asked for it: what is found as a
-- whole by its block, and a code as a word, too, which it may be; a word by itself, and one of letters and digits also by its parts, of which the
-- last one may be a beginning.
CREATE OR REPLACE FUNCTION "sought_term"(_term text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               CASE WHEN mark = '=' THEN '''' || company || '=' || public.whole_block(whole) || '''' END,
               CASE WHEN mark <> '=' OR whole ~ '#' THEN '''' || company || ':' || word || '''' || ending END,
               CASE WHEN word ~ '^#.*[^0-9]' THEN '(' || (
                   SELECT string_agg('''' || company || CASE WHEN parts[1] ~ '^[0-9]' THEN ':#' ELSE ':' END || parts[1] || '''', '&' ORDER BY place)
                     FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS split (parts, place)) || ending || ')' END) || ')'
      FROM (SELECT said[1] AS company, said[2] AS mark, said[3] AS whole, CASE WHEN _is_prefix THEN ':*' ELSE '' END AS ending,
                   CASE WHEN said[2] <> '=' THEN said[3]
                        ELSE CASE WHEN said[3] ~ '[0-9]' THEN '#' ELSE '' END || replace(said[3], '#', '') END AS word
              FROM regexp_match(_term, '^([0-9]+)([:.=])(.*)$') AS said) AS split
$$;

-- Returns of a good's words (see "good_words_of") those that its index has: the words of all texts, and the blocks of what is found
-- as a whole (see "whole_block"). What follows from them is left out, and a query is led to what it follows from (see
-- "sought_query"): words of the name alone, which are among those of all texts; words of letters and digits whose parts the good
-- has as well; and a code that is one word as a whole, since few goods have that word, while very many may have one of letters.
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT CASE mark WHEN ':' THEN entry ELSE company || '=' || public.whole_block(word) END
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN ':' THEN word !~ '^#.*[^0-9]' OR EXISTS (
                   SELECT FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') AS parts
                    WHERE company || CASE WHEN parts[1] ~ '^[0-9]' THEN ':#' ELSE ':' END || parts[1] <> ALL (entries))
               WHEN '=' THEN word !~ '#' OR company || ':' || word <> ALL (entries) AND company || ':#' || replace(word, '#', '') <> ALL (entries)
               ELSE false END))
      FROM (SELECT tsvector_to_array(_words) AS entries OFFSET 0) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company OFFSET 0) AS owner
$$;
