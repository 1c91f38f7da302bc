-- Returns one word of a query, behind the company and the mark, by what the index of goods has of it (see "sought_words"): what is found
-- as a whole by its block, and a code as a word, too, which it may be; a word by itself, and one of letters and digits also by its
-- parts, of which the last one may be a beginning.
CREATE OR REPLACE FUNCTION "sought_term"(_term text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               CASE WHEN mark = '=' THEN '''' || company || '=' || public.whole_block(whole) || '''' END,
               CASE WHEN mark <> '=' OR whole ~ '#' THEN '''' || company || place_of || word || '''' || ending END,
               CASE WHEN word ~ '^#.*[^0-9]' THEN '(' || (
                   SELECT string_agg('''' || company || place_of || CASE WHEN parts[1] ~ '^[0-9]' THEN '#' ELSE '' END || parts[1] || '''', '&' ORDER BY place)
                     FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS split (parts, place)) || ending || ')' END) || ')'
      FROM (SELECT said[1] AS company, said[2] AS mark, said[3] AS whole, CASE WHEN _is_prefix THEN ':*' ELSE '' END AS ending,
                   CASE said[2] WHEN '.' THEN '.' ELSE ':' END AS place_of,
                   CASE WHEN said[2] <> '=' THEN said[3]
                        ELSE CASE WHEN said[3] ~ '[0-9]' THEN '#' ELSE '' END || replace(said[3], '#', '') END AS word
              FROM regexp_match(_term, '^([0-9]+)([:.=])(.*)$') AS said) AS split
$$;
