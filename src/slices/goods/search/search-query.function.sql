-- Returns the query for a company's goods that have all words of a text (see "search_tokens"), among the words behind the
-- mark (see "good_words_of"); with "_is_prefix" each as the beginning of a word, so that one is left out that another
-- begins with; what punctuation or a digit ends is whole. A number of fewer than four characters is no beginning: too many codes begin alike. Null for a text
-- without words. Planning takes longer than running, so the plan is kept whatever the values are.
CREATE OR REPLACE FUNCTION "search_query"(_company_id integer, _text text, _mark text, _is_prefix boolean) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
    SELECT string_agg(CASE WHEN size IS NOT NULL THEN size WHEN parts = whole THEN whole ELSE '((' || parts || ')|' || whole || ')' END, '&')::tsquery
      FROM (SELECT public.search_tokens(public.folded(_text)) AS tokens) AS text,
           LATERAL unnest(tokens) AS token,
           LATERAL (SELECT CASE WHEN token ~ '[0-9]x[0-9]' THEN public.search_size(_company_id, token, _mark, _is_prefix) END AS size OFFSET 0) AS sized,
           LATERAL (
               SELECT string_agg(DISTINCT CASE WHEN _is_prefix AND place = count THEN public.search_beginning(_company_id, word, _mark) ELSE public.search_term(_company_id, word, _mark, false) END, '&') AS parts
                 FROM (SELECT word, place, count(*) OVER () AS count FROM unnest((public.search_parts(token))[1:10]) WITH ORDINALITY AS part (word, place)) AS words) AS apart,
           LATERAL (
               SELECT string_agg(CASE WHEN _is_prefix THEN public.search_beginning(_company_id, word, _mark) ELSE public.search_term(_company_id, word, _mark, false) END, '&') AS whole
                 FROM unnest(public.search_wholes(token)) AS word) AS together
     WHERE parts IS NOT NULL AND whole IS NOT NULL
       AND NOT (_is_prefix AND token !~ '[0-9]'
                AND EXISTS (SELECT FROM unnest(tokens) AS other WHERE other <> token AND starts_with(other, token)))
$$;
