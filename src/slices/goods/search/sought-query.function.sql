-- Returns a query of goods' words, without negations, as their index is asked for it (see "sought_words"): it finds all goods of
-- the query, and maybe others. Words of any text are asked for among those of names and among the others.
CREATE OR REPLACE FUNCTION "sought_query"(_query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT regexp_replace(asked, '''([0-9]+):([^'']+)''(:\*)?', '(''\1.\2''\3|''\1:\2''\3)', 'g')::tsquery
      FROM (SELECT CASE WHEN _query::text ~ '[#=]' THEN (
                   SELECT string_agg(CASE WHEN place % 2 <> 0 THEN regexp_replace(piece, '^:\*', '')
                                          WHEN piece ~ '[#=]' THEN public.sought_term(piece, starts_with(next, ':*'))
                                          ELSE '''' || piece || '''' || CASE WHEN starts_with(next, ':*') THEN ':*' ELSE '' END END, '' ORDER BY place)
                     FROM (SELECT piece, place, lead(piece) OVER (ORDER BY place) AS next
                             FROM unnest(string_to_array(_query::text, '''')) WITH ORDINALITY AS split (piece, place)) AS pieces)
                   ELSE _query::text END AS asked OFFSET 0) AS terms
$$;
