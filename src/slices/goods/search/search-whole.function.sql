-- Returns the query for a company's goods of which a text is the whole name, sku or barcode. Null for a text without words.
CREATE OR REPLACE FUNCTION "search_whole"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT public.search_term(_company_id, whole, '=', false)::tsquery
      FROM array_to_string(public.search_parts(public.folded(_text)), '') AS whole
     WHERE whole <> ''
$$;
