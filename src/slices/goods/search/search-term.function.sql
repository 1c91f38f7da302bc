-- Returns one word of a query, as "search_query" has it.
CREATE OR REPLACE FUNCTION "search_term"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '''' || _company_id || _mark || _word || ''''
        || CASE WHEN _is_prefix AND (_word !~ '^#' OR char_length(_word) > 4) THEN ':*' ELSE '' END
$$;
