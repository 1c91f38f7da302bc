-- Returns a query of goods' words, without negations, as their index is asked for it (see "sought_words"): it finds all goods of
-- the query, and maybe others.
CREATE OR REPLACE FUNCTION "sought_query"(_query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(CASE WHEN place % 2 = 0 THEN public.sought_term(piece, starts_with(next, ':*')) ELSE regexp_replace(piece, '^:\*', '') END, '' ORDER BY place)::tsquery
      FROM (SELECT piece, place, lead(piece) OVER (ORDER BY place) AS next
              FROM unnest(string_to_array(_query::text, '''')) WITH ORDINALITY AS split (piece, place)) AS pieces
$$;
