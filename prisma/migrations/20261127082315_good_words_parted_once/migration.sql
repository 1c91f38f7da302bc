-- Returns what a good is found by. Each word stands behind the company, so that no company's words lengthen the search of
-- another: the words of all texts behind ":", those of the name behind ".", and name, sku and barcodes, each as a whole,
-- behind "=".
CREATE OR REPLACE FUNCTION "good_words_of"(
    _company_id integer, _name text, _short_details text, _sku text, _keywords text[], _barcodes text[]
) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT _company_id || mark || word
          FROM (SELECT name_parts, name_parts || public.search_wholes(name) AS of_name, public.search_parts(others) || public.search_wholes(others) AS of_others
                  FROM (SELECT public.folded(_name) AS name, public.folded(concat_ws(' ', _short_details, _sku,
                            left(array_to_string(_keywords, ' '), 10000), left(array_to_string(_barcodes, ' '), 10000))) AS others OFFSET 0) AS folded,
                       LATERAL (SELECT public.search_parts(name) AS name_parts OFFSET 0) AS named
                OFFSET 0) AS texts,
               LATERAL (
                   SELECT '.' AS mark, unnest(of_name) AS word
                    UNION ALL
                   SELECT ':', unnest(of_name || of_others)
                    UNION ALL
                   SELECT '=', array_to_string(name_parts, '')
                    UNION ALL
                   SELECT '=', array_to_string(public.search_parts(public.folded(code)), '')
                     FROM unnest(array_prepend(_sku, _barcodes[1:100])) AS code
                   OFFSET 0) AS words
         WHERE word <> ''))
$$;
