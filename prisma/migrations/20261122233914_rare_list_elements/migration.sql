-- Folds the texts of a list (see "folded") and joins them into one text, in which "list_patterns" find each of them.
CREATE OR REPLACE FUNCTION "joined_texts"(_texts text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT public.folded('|' || array_to_string(_texts, '|') || '|')
$$;

-- Returns patterns of LIKE that match the joined texts (see "joined_texts") of each list with one of these texts. Joined
-- texts may match besides: a text with "|" stands for two there.
CREATE OR REPLACE FUNCTION "list_patterns"(_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg('%|' || public.like_literal(public.folded(item)) || '|%'), '{}') FROM unnest(_texts) AS item
$$;

-- How frequent elements are that hardly come twice, of which the lists' own statistics say nothing.
CREATE STATISTICS "goods_keywords_joined_texts" ON (joined_texts("keywords")) FROM "goods";
ALTER STATISTICS "goods_keywords_joined_texts" SET STATISTICS 200;
CREATE STATISTICS "goods_barcodes_joined_texts" ON (joined_texts("barcodes")) FROM "goods";
ALTER STATISTICS "goods_barcodes_joined_texts" SET STATISTICS 200;
