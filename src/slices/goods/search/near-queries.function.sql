-- @reach all: it answers queries of words, and no row.
-- Returns the queries for a company's goods that have all words of a text in another form: "plural" each as it is or in singular or
-- plural, or another writing of its number, "apart" each also as a beginning, as the end of a longer word (kabel in netzwerkkabel), in two words where it is made of two that the
-- company's goods have (kaffeetasse), or as one word with its neighbour (play station), maybe with a letter or two that join them.
-- Null where no word has any such form. All words of a kind are looked up in the index of the company's words.
-- The dictionaries are those of "number_forms".
CREATE OR REPLACE FUNCTION "near_queries"(_company_id integer, _text text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS TABLE ("plural" tsquery, "apart" tsquery)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH tokens AS MATERIALIZED (
        SELECT token, place, CASE WHEN word ~ '^[a-z]+$' THEN word END AS word
          FROM unnest(public.search_tokens(public.folded(_text))) WITH ORDINALITY AS t (token, place),
               LATERAL (SELECT (public.search_wholes(token))[1] AS word OFFSET 0) AS whole
         WHERE word IS NOT NULL),
    words AS MATERIALIZED (
        SELECT token, place, word, public.number_forms(word, _dictionaries) AS forms, lead(word) OVER (ORDER BY place) AS next FROM tokens),
    plurals AS MATERIALIZED (
        SELECT DISTINCT w.place, g.word FROM words w JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (w.forms)),
    numbers AS MATERIALIZED (SELECT t.place, name FROM tokens t, LATERAL unnest(public.number_names(t.token)) AS name),
    firsts AS MATERIALIZED (
        SELECT DISTINCT place, g.word AS first, rest
          FROM (SELECT w.place, cut.rest, left(w.word, at - joint) AS first
                  FROM words w, generate_series(3, least(char_length(w.word), 40) - 3) AS at, generate_series(0, 2) AS joint,
                       LATERAL (SELECT substr(w.word, at + 1) AS rest, substr(w.word, at - joint + 1, joint) AS letters) AS cut
                 WHERE at - joint >= 3 AND letters IN ('', 's', 'n', 'e', 'en', 'es', 'er')
                OFFSET 0) AS made
          JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = first),
    rests AS MATERIALIZED (SELECT place, first, public.number_forms(rest, _dictionaries) || rest AS forms FROM firsts),
    halves AS MATERIALIZED (
        SELECT DISTINCT f.place, f.first, g.word AS rest
          FROM rests f JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (f.forms)),
    longer AS MATERIALIZED (
        SELECT w.place, ending.word
          FROM words w,
               LATERAL (SELECT form AS shortest FROM unnest(w.forms || w.word) AS form WHERE char_length(form) >= 4
                         ORDER BY char_length(form), form LIMIT 1) AS base,
               LATERAL (
                   SELECT g.word FROM public.good_words g
                    WHERE g.company_id = _company_id AND g.word !~ '^#' AND g.word LIKE '%_' || shortest || '%'
                      AND g.word ~ ('(' || array_to_string(w.forms || w.word, '|') || ')$')
                    ORDER BY char_length(g.word), g.word LIMIT 20) AS ending),
    joined AS MATERIALIZED (
        SELECT w.place, g.word FROM words w, LATERAL (
            SELECT g.word FROM public.good_words g
             WHERE g.company_id = _company_id AND g.word COLLATE "C" >= w.word AND g.word COLLATE "C" < (w.word || U&'\+10FFFF')
               AND g.word ~ ('^' || w.word || '(s|n|e|en|es|er)?' || w.next)
             LIMIT 20) AS g
         WHERE w.next IS NOT NULL AND char_length(w.word) >= 2),
    forms AS MATERIALIZED (
        SELECT w.place,
               (SELECT string_agg(public.search_term(_company_id, word, ':', false), '|')
                  FROM (SELECT place, word FROM plurals UNION ALL SELECT place, name FROM numbers) AS p WHERE p.place = w.place) AS plural,
               (SELECT string_agg(term, '|') FROM (
                   SELECT '(' || public.search_term(_company_id, first, ':', false) || '&' || public.search_term(_company_id, rest, ':', false) || ')' AS term
                     FROM halves h WHERE h.place = w.place
                    UNION ALL
                   SELECT public.search_term(_company_id, word, ':', false) FROM longer l WHERE l.place = w.place
                    UNION ALL
                   SELECT public.search_term(_company_id, word, ':', false) FROM joined j WHERE j.place IN (w.place, w.place - 1)) AS terms) AS apart
          FROM words w)
    SELECT string_agg(CASE WHEN plurals > 0 THEN '(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', false)::text || ')', plural) || ')' END, '&')::tsquery,
           string_agg(CASE WHEN aparts > 0 THEN '(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', true)::text || ')', plural, apart) || ')' END, '&')::tsquery
      FROM (SELECT token, plural, apart, count(plural) OVER () AS plurals, count(apart) OVER () AS aparts FROM tokens JOIN forms USING (place)) AS all_forms;
END
$$;
