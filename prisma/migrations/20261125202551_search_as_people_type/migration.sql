-- Returns the forms that a folded word may have in singular and plural, in the languages of Europe's south and west: those that one
-- of PostgreSQL's dictionaries leads to the same stem, by the endings that plurals have (so "manzano" is no form of
-- "manzana"), and those whose stems differ: luz and luces, pão and pães, animal and animais, cheval and chevaux, knife and knives.
CREATE OR REPLACE FUNCTION "number_forms"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH stems AS MATERIALIZED (
        SELECT dictionary, ts_lexize(dictionary, _word) AS stem
          FROM unnest('{english_stem,french_stem,german_stem,portuguese_stem,spanish_stem}'::regdictionary[]) AS dictionary)
    SELECT coalesce(array_agg(DISTINCT form), '{}')
      FROM (SELECT form
              FROM unnest('{s,es,e,n,en,nen,er,ern,x}'::text[]) AS ending,
                   LATERAL (VALUES (_word || ending),
                                   (CASE WHEN right(_word, char_length(ending)) = ending THEN left(_word, -char_length(ending)) END)) AS made (form)
             WHERE EXISTS (SELECT FROM stems WHERE stem <> '{}' AND ts_lexize(dictionary, form) = stem)
             UNION ALL
            SELECT left(_word, -char_length(one)) || other
              FROM (VALUES ('z', 'ces'), ('ao', 'oes'), ('ao', 'aes'), ('l', 'is'), ('m', 'ns'), ('al', 'aux'), ('ail', 'aux'),
                           ('y', 'ies'), ('f', 'ves'), ('fe', 'ves'), ('um', 'en'), ('us', 'en'), ('o', 'i')) AS pair (singular, plural),
                   LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
             WHERE right(_word, char_length(one)) = one) AS forms
     WHERE char_length(_word) BETWEEN 3 AND 40 AND _word !~ '[^a-z]' AND char_length(form) >= 3 AND form <> _word
$$;

-- Returns a query for a company's goods that have words as one for goods that have them in their names (see "good_words_of").
CREATE OR REPLACE FUNCTION "query_of_names"(_company_id integer, _query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT replace(_query::text, '''' || _company_id || ':', '''' || _company_id || '.')::tsquery
$$;

-- Returns a size, such as 5x2,5 or 20x40mm, as a part of a query: goods have it with an x, a × (which is folded to *) or nothing
-- between its sides, with spaces or without, and its unit with it or apart. Null for any other word.
CREATE OR REPLACE FUNCTION "search_size"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               public.search_term(_company_id, '#' || together || unit, _mark, _is_prefix),
               '(' || public.search_term(_company_id, '#' || replace(together, 'x', '') || unit, _mark, _is_prefix) || '&' || parts || ')',
               CASE WHEN unit <> '' THEN
                   '((' || public.search_term(_company_id, '#' || together, _mark, false)
                       || '|(' || public.search_term(_company_id, '#' || replace(together, 'x', ''), _mark, false) || '&' || parts || '))&'
                       || public.search_term(_company_id, letters, _mark, false) || ')' END,
               '(' || apart || CASE WHEN unit <> '' THEN '&' || public.search_term(_company_id, letters, _mark, false) ELSE '' END || ')') || ')'
      FROM (SELECT found[1] AS sides, found[2] AS unit, substring(found[2] FROM '^[a-z]+') AS letters,
                   regexp_replace(found[1], '[.,]', '', 'g') AS together
              FROM regexp_match(_word, '^([0-9][0-9.,]*(?:x[0-9][0-9.,]*)+)((?:[a-z]{1,3}[0-9]?)?)$') AS found) AS size,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, '#' || part, _mark, false), '&') AS parts
                 FROM regexp_split_to_table(sides, '[^0-9]+') AS part WHERE part <> '') AS of_sides,
           LATERAL (
               SELECT string_agg(CASE WHEN unit = '' OR place < count THEN plain
                                      ELSE '(' || plain || '|' || public.search_term(_company_id, '#' || side || unit, _mark, false) || ')' END, '&') AS apart
                 FROM (SELECT side, place, count(*) OVER () AS count, public.search_term(_company_id, '#' || side, _mark, false) AS plain
                         FROM regexp_split_to_table(together, 'x') WITH ORDINALITY AS split (side, place)) AS each_side) AS of_apart
     WHERE sides IS NOT NULL
$$;

-- Returns the query for a company's goods that have all words of a text (see "search_tokens"), among the words behind the
-- mark (see "good_words_of"); with "_is_prefix" each as the beginning of a word, so that one is left out that another
-- begins with. A number of fewer than four characters is no beginning: too many codes begin alike. Null for a text
-- without words. Planning takes longer than running, so the plan is kept whatever the values are.
CREATE OR REPLACE FUNCTION "search_query"(_company_id integer, _text text, _mark text, _is_prefix boolean) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
    SELECT string_agg(CASE WHEN size IS NOT NULL THEN size WHEN parts = whole THEN whole ELSE '((' || parts || ')|' || whole || ')' END, '&')::tsquery
      FROM (SELECT public.search_tokens(public.folded(_text)) AS tokens) AS text,
           LATERAL unnest(tokens) AS token,
           LATERAL (SELECT CASE WHEN token ~ '[0-9]x[0-9]' THEN public.search_size(_company_id, token, _mark, _is_prefix) END AS size OFFSET 0) AS sized,
           LATERAL (
               SELECT string_agg(DISTINCT CASE WHEN _is_prefix THEN public.search_beginning(_company_id, word, _mark) ELSE public.search_term(_company_id, word, _mark, false) END, '&') AS parts
                 FROM unnest((public.search_parts(token))[1:10]) AS word) AS apart,
           LATERAL (
               SELECT string_agg(CASE WHEN _is_prefix THEN public.search_beginning(_company_id, word, _mark) ELSE public.search_term(_company_id, word, _mark, false) END, '&') AS whole
                 FROM unnest(public.search_wholes(token)) AS word) AS together
     WHERE parts IS NOT NULL AND whole IS NOT NULL
       AND NOT (_is_prefix AND token !~ '[0-9]'
                AND EXISTS (SELECT FROM unnest(tokens) AS other WHERE other <> token AND starts_with(other, token)))
$$;

-- Returns the queries for a company's goods that have all words of a text in another form: "plural" each as it is or in singular or
-- plural, "apart" each also as a beginning, as the end of a longer word (kabel in netzwerkkabel), in two words where it is made of two that the
-- company's goods have (kaffeetasse), or as one word with its neighbour (play station), maybe with a letter or two that join them.
-- Null where no word has any such form. All words of a kind are looked up in the index of the company's words.
CREATE OR REPLACE FUNCTION "near_queries"(_company_id integer, _text text) RETURNS TABLE ("plural" tsquery, "apart" tsquery)
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
    WITH tokens AS MATERIALIZED (
        SELECT token, place, CASE WHEN word ~ '^[a-z]+$' THEN word END AS word
          FROM unnest(public.search_tokens(public.folded(_text))) WITH ORDINALITY AS t (token, place),
               LATERAL (SELECT (public.search_wholes(token))[1] AS word OFFSET 0) AS whole
         WHERE word IS NOT NULL),
    words AS MATERIALIZED (
        SELECT token, place, word, public.number_forms(word) AS forms, lead(word) OVER (ORDER BY place) AS next FROM tokens),
    plurals AS MATERIALIZED (
        SELECT DISTINCT w.place, g.word FROM words w JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (w.forms)),
    firsts AS MATERIALIZED (
        SELECT DISTINCT place, g.word AS first, rest
          FROM (SELECT w.place, cut.rest, left(w.word, at - joint) AS first
                  FROM words w, generate_series(3, least(char_length(w.word), 40) - 3) AS at, generate_series(0, 2) AS joint,
                       LATERAL (SELECT substr(w.word, at + 1) AS rest, substr(w.word, at - joint + 1, joint) AS letters) AS cut
                 WHERE at - joint >= 3 AND letters IN ('', 's', 'n', 'e', 'en', 'es', 'er')
                OFFSET 0) AS made
          JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = first),
    halves AS MATERIALIZED (
        SELECT DISTINCT f.place, f.first, g.word AS rest
          FROM firsts f JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (public.number_forms(f.rest) || f.rest)),
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
               (SELECT string_agg(public.search_term(_company_id, word, ':', false), '|') FROM plurals p WHERE p.place = w.place) AS plural,
               (SELECT string_agg(term, '|') FROM (
                   SELECT '(' || public.search_term(_company_id, first, ':', false) || '&' || public.search_term(_company_id, rest, ':', false) || ')' AS term
                     FROM halves h WHERE h.place = w.place
                    UNION ALL
                   SELECT public.search_term(_company_id, word, ':', false) FROM longer l WHERE l.place = w.place
                    UNION ALL
                   SELECT public.search_term(_company_id, word, ':', false) FROM joined j WHERE j.place IN (w.place, w.place - 1)) AS terms) AS apart
          FROM words w)
    SELECT CASE WHEN count(f.plural) > 0 THEN string_agg('(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', false)::text || ')', f.plural) || ')', '&')::tsquery END,
           CASE WHEN count(f.apart) > 0 THEN string_agg('(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', true)::text || ')', f.plural, f.apart) || ')', '&')::tsquery END
      FROM tokens t JOIN forms f USING (place)
$$;
