-- Returns what stands between the spaces of a folded text, each once, from the beginning on: as much as has ten words
-- together, so that the longest text costs no more to look for than ten words do. The first of them is there however many it has.
CREATE OR REPLACE FUNCTION "search_tokens"(_folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(token ORDER BY place), '{}')
      FROM (SELECT token, min(place) AS place,
                   sum(cardinality(public.search_parts(token))) OVER (ORDER BY min(place)) AS words,
                   row_number() OVER (ORDER BY min(place)) AS nth
              FROM regexp_split_to_table(_folded, '\s+') WITH ORDINALITY AS t (token, place)
             WHERE token <> ''
             GROUP BY token) AS counted
     WHERE words <= 10 OR nth = 1
$$;
