-- Returns one word of a query, as "search_query" has it. A word of letters and digits together is also found by its parts, by which
-- alone the index may have it (see "sought_words").
CREATE OR REPLACE FUNCTION "search_term"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN _is_prefix OR _mark <> ':' OR _word !~ '^#.*[^0-9]' THEN term
                ELSE '(' || term || '|(' || (
                    SELECT string_agg('''' || _company_id || _mark || part || '''', '&') FROM unnest(public.search_parts(substr(_word, 2))) AS part
                ) || '))' END
      FROM (SELECT '''' || _company_id || _mark || _word || ''''
                || CASE WHEN _is_prefix AND (_word !~ '^#' OR char_length(_word) > 4) THEN ':*' ELSE '' END AS term) AS plain
$$;
