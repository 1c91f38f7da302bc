-- Returns patterns of LIKE that match the joined texts (see "joined_texts") of each list with one of these texts. Joined
-- texts may match besides: a text with "|" stands for two there.
CREATE OR REPLACE FUNCTION "list_patterns"(_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg('%|' || public.like_literal(public.folded(item)) || '|%'), '{}') FROM unnest(_texts) AS item
$$;
