-- @reach all: it answers queries of words, and no row.
-- Returns the query for a company's goods that have all words of a text, each as the beginning of a word or as one of the 20
-- most alike that the company's goods have: with one character wrong, which is not the first of four or fewer, or, when it is longer, with most in common. Of a
-- code, see "code_slips". Null when no word has any that is alike, since beginnings alone have a query of their own.
-- Planning takes longer than running, so the plan is kept whatever the values are.
CREATE OR REPLACE FUNCTION "like_words"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN count(n.words) > 0 THEN string_agg('(' || concat_ws('|', public.search_beginning(_company_id, w.word), n.words) || ')', '&')::tsquery END
          FROM (SELECT word, public.one_left_out(word) AS left_out
                  FROM (SELECT DISTINCT unnest(public.search_wholes(array_to_string(public.search_tokens(public.folded(_text)), ' '))) AS word) AS words
                OFFSET 0) AS w,
               LATERAL (
                   SELECT string_agg(public.search_term(_company_id, word, ':', false), '|') AS words FROM (
                       SELECT word FROM (
                           SELECT g.word FROM public.good_words g
                            WHERE g.company_id = _company_id AND g.word <> w.word AND g.word !~ '^#' AND w.word !~ '^#' AND char_length(w.word) >= 3
                              AND (char_length(w.word) > 4 OR left(g.word, 1) = left(w.word, 1))
                              AND (public.one_left_out(g.word) && w.left_out
                                   OR g.word OPERATOR(public.%) w.word AND public.similarity(g.word, w.word) >= 0.45)
                            UNION
                           (SELECT g.word FROM public.good_words g
                             WHERE g.company_id = _company_id AND w.word ~ '^#.{6}' AND g.word COLLATE "C" = ANY (public.code_slips(w.word)))) AS alike
                        ORDER BY public.similarity(word, w.word) DESC, word
                        LIMIT 20) AS most) AS n);
END
$$;
