-- Folds the texts of a list (see "folded") and joins them into one text, in which "list_patterns" find each of them.
CREATE OR REPLACE FUNCTION "joined_texts"(_texts text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT public.folded('|' || array_to_string(_texts, '|') || '|')
$$;
