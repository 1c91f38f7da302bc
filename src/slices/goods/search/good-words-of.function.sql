-- Returns what a good is found by. Each word stands behind the company, so that no company's words lengthen the search of
-- another: the words of all texts behind ":", those of the name behind ".", and name, sku and barcodes, each as a whole,
-- behind "=".
CREATE OR REPLACE FUNCTION "good_words_of"(
    _company_id integer, _name text, _short_details text, _sku text, _keywords text[], _barcodes text[]
) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT _company_id || mark || word
          FROM (SELECT public.folded(_name) AS name, public.folded(concat_ws(' ', _short_details, _sku,
                    left(array_to_string(_keywords, ' '), 10000), left(array_to_string(_barcodes, ' '), 10000))) AS others) AS folded,
               LATERAL (
                   SELECT '.' AS mark, unnest(public.search_parts(name) || public.search_wholes(name)) AS word
                    UNION ALL
                   SELECT ':', unnest(public.search_parts(name) || public.search_wholes(name)
                       || public.search_parts(others) || public.search_wholes(others))
                    UNION ALL
                   SELECT '=', array_to_string(public.search_parts(public.folded(whole)), '')
                     FROM unnest(ARRAY[_name, _sku] || _barcodes[1:100]) AS whole) AS words
         WHERE word <> ''))
$$;
