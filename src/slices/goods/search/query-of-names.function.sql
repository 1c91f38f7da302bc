-- Returns a query for a company's goods that have words as one for goods that have them in their names (see "good_words_of").
CREATE OR REPLACE FUNCTION "query_of_names"(_company_id integer, _query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT replace(_query::text, '''' || _company_id || ':', '''' || _company_id || '.')::tsquery
$$;
