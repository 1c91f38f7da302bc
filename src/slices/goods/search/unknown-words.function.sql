-- @reach all: it answers words of the text that it was given.
-- Returns those words of a text (see "search_tokens") that no good of the company has, not even as the beginning of a word. It goes by
-- the company's words, so words that only deleted goods have count as known, and so do words that are too short to be kept (see
-- "keep_good_words") and sizes.
CREATE OR REPLACE FUNCTION "unknown_words"(_company_id integer, _tokens text[]) RETURNS text[]
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (
        SELECT coalesce(array_agg(token ORDER BY place), '{}')
          FROM (SELECT token, place, bool_and(is_known) FILTER (WHERE NOT is_whole) OR coalesce(bool_or(is_known) FILTER (WHERE is_whole), true) AS is_known
                  FROM unnest(_tokens) WITH ORDINALITY AS t (token, place),
                       LATERAL (SELECT false AS is_whole, word FROM unnest((public.search_parts(token))[1:10]) AS word
                                 UNION ALL
                                SELECT true, word FROM unnest(public.search_wholes(token)) AS word) AS words,
                       LATERAL (SELECT char_length(word) < CASE WHEN starts_with(word, '#') THEN 7 ELSE 3 END
                                    OR EXISTS (SELECT FROM public.good_words g
                                                WHERE g.company_id = _company_id AND g.word COLLATE "C" >= words.word AND g.word COLLATE "C" < (words.word || U&'\+10FFFF')) AS is_known) AS known
                 WHERE token !~ '[0-9]x[0-9]'
                 GROUP BY token, place) AS tokens
         WHERE NOT is_known);
END
$$;
