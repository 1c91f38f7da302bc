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

-- Returns about how many goods a query finds, as the planner expects it.
CREATE OR REPLACE FUNCTION "estimated_goods"(_query tsquery) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.goods WHERE deleted_at IS NULL AND search_words @@ %L::tsquery', _query)
       INTO plan;
    RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;

-- Returns the query for a company's goods that have all words of a text, each as the beginning of a word or as one of the 20
-- most alike that the company's goods have: with one character wrong, or, when it is longer, with most in common. Of a
-- code, one half has to be right. Null when no word has any that is alike, since beginnings alone have a query of their own.
CREATE OR REPLACE FUNCTION "like_words"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN count(n.words) > 0 THEN string_agg('(' || concat_ws('|', public.search_term(_company_id, w.word, ':', true), n.words) || ')', '&')::tsquery END
      FROM (SELECT DISTINCT unnest(public.search_wholes(array_to_string(public.search_tokens(public.folded(_text)), ' '))) AS word) AS w,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, word, ':', false), '|') AS words FROM (
                   SELECT word FROM (
                       SELECT g.word FROM public.good_words g
                        WHERE g.company_id = _company_id AND g.word <> w.word AND g.word !~ '^#' AND w.word !~ '^#' AND char_length(w.word) >= 3
                          AND (public.one_left_out(g.word) && public.one_left_out(w.word)
                               OR g.word OPERATOR(public.%) w.word AND public.similarity(g.word, w.word) >= 0.45)
                        UNION
                       (SELECT g.word FROM public.good_words g
                         WHERE g.company_id = _company_id AND w.word ~ '^#.{6}'
                           AND g.word COLLATE "C" >= left(w.word, 1 + char_length(w.word) / 2)
                           AND g.word COLLATE "C" < (left(w.word, 1 + char_length(w.word) / 2) || U&'\FFFF')
                           AND public.similarity(g.word, w.word) >= 0.25
                           AND public.one_left_out(g.word) && public.one_left_out(w.word)
                         LIMIT 5)
                        UNION
                       (SELECT g.word FROM public.good_words g
                         WHERE g.company_id = _company_id AND w.word ~ '^#.{6}'
                           AND reverse(g.word) ~>=~ reverse(right(w.word, (char_length(w.word) - 1) / 2))
                           AND g.word ~ '^#' AND reverse(g.word) ~<~ (reverse(right(w.word, (char_length(w.word) - 1) / 2)) || U&'\FFFF')
                           AND public.similarity(g.word, w.word) >= 0.25
                           AND public.one_left_out(g.word) && public.one_left_out(w.word)
                         LIMIT 5)) AS alike
                    ORDER BY public.similarity(word, w.word) DESC, word
                    LIMIT 20) AS most) AS n
$$;

-- Returns the query for a company's goods that have all words of a text (see "search_tokens"), among the words behind the
-- mark (see "good_words_of"); with "_is_prefix" each as the beginning of a word, so that one is left out that another
-- begins with. A number of fewer than four characters is no beginning: too many codes begin alike. Null for a text
-- without words.
CREATE OR REPLACE FUNCTION "search_query"(_company_id integer, _text text, _mark text, _is_prefix boolean) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(CASE WHEN parts = whole THEN whole ELSE '((' || parts || ')|' || whole || ')' END, '&')::tsquery
      FROM (SELECT public.search_tokens(public.folded(_text)) AS tokens) AS text,
           LATERAL unnest(tokens) AS token,
           LATERAL (
               SELECT string_agg(DISTINCT public.search_term(_company_id, word, _mark, _is_prefix), '&') AS parts
                 FROM unnest((public.search_parts(token))[1:10]) AS word) AS apart,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, word, _mark, _is_prefix), '&') AS whole
                 FROM unnest(public.search_wholes(token)) AS word) AS together
     WHERE parts IS NOT NULL AND whole IS NOT NULL
       AND NOT (_is_prefix AND token !~ '[0-9]'
                AND EXISTS (SELECT FROM unnest(tokens) AS other WHERE other <> token AND starts_with(other, token)))
$$;
