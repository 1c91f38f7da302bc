-- Folds each text of a list (see "folded").
CREATE OR REPLACE FUNCTION "folded_texts"(_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(public.folded(item)), '{}') FROM unnest(_texts) AS item
$$;
