-- @reach all: it answers queries of words, and no row.
-- Returns a beginning of words as a part of a query: the company's words that begin so, where they are at most 20, since the
-- index finds whole words sooner than beginnings. A beginning of two letters, or of five
-- characters with digits, is the only word too short to be kept (see "keep_good_words") that begins so. Planning takes longer
-- than running, so the plan is kept whatever the values are. The mark says among which words (see "good_words_of").
CREATE OR REPLACE FUNCTION "search_beginning"(_company_id integer, _word text, _mark text DEFAULT ':') RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN char_length(_word) >= CASE WHEN _word ~ '^#' THEN 6 ELSE 2 END AND count(*) <= 20
                    THEN '(' || string_agg(public.search_term(_company_id, word, _mark, false), '|' ORDER BY word) || ')'
                    ELSE public.search_term(_company_id, _word, _mark, true) END
          FROM (SELECT _word AS word
                 UNION
                (SELECT DISTINCT g.word COLLATE "C" FROM public.good_words g
                  WHERE g.company_id = _company_id AND g.word COLLATE "C" >= _word AND g.word COLLATE "C" < (_word || U&'\+10FFFF')
                  LIMIT 21)) AS words);
END
$$;
