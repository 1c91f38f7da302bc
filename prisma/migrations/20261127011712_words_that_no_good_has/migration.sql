DROP INDEX good_words_company_id_reverse_idx;

DROP ROUTINE digits_of(text);

-- Returns the codes that a code of letters and digits may be meant for: with two neighbours changed in their places, or with one letter
-- wrong, too many or missing. All of its digits are there: with another digit it is another code. They are few, however many codes a
-- company has that begin alike.
CREATE OR REPLACE FUNCTION "code_slips"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH code AS MATERIALIZED (SELECT substr(_word, 2) AS body),
         places AS MATERIALIZED (SELECT body, place, substr(body, place, 1) AS own FROM code, generate_series(1, char_length(body)) AS place),
         letters AS MATERIALIZED (SELECT chr(number) AS letter FROM generate_series(97, 122) AS number)
    SELECT coalesce(array_agg(DISTINCT '#' || slip), '{}')
      FROM (SELECT overlay(body PLACING reverse(substr(body, place, 2)) FROM place FOR 2) AS slip FROM places WHERE place < char_length(body)
             UNION ALL
            SELECT overlay(body PLACING '' FROM place FOR 1) FROM places WHERE own !~ '[0-9]'
             UNION ALL
            SELECT overlay(body PLACING letter FROM place FOR 1) FROM places, letters WHERE own !~ '[0-9]'
             UNION ALL
            SELECT overlay(body PLACING letter FROM place FOR 0) FROM places, letters
             UNION ALL
            SELECT body || letter FROM code, letters) AS slips
     WHERE slip <> substr(_word, 2)
$$;

-- @reach all: it answers estimates, and no row.
-- Returns about how many goods each of some queries finds (see "estimated_goods"), as far as it matters: the last query finds the goods
-- of those before it, so where it finds few, null is returned for all of them. Each finds those of the ones before it, but for the
-- first, so where one has very many, so have those behind it; and where one has many, and the last has not very many, those behind it
-- count like the last.
CREATE OR REPLACE FUNCTION "estimated_tiers"(_queries tsquery[], _many bigint, _frequent bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    last bigint := public.estimated_goods(_queries[cardinality(_queries)]);
    most bigint := 0;
    counts bigint[];
    count bigint;
BEGIN
    IF last <= _many THEN
        RETURN NULL;
    END IF;
    FOR place IN 1 .. cardinality(_queries) LOOP
        IF place = cardinality(_queries) OR most > _frequent OR most > _many AND last <= _frequent THEN
            count := last;
        ELSE
            count := public.estimated_goods(_queries[place]);
        END IF;
        most := greatest(most, count);
        counts[place] := count;
    END LOOP;
    RETURN counts;
END
$$;

-- Returns the query for a company's goods that have all words of a text, each as the beginning of a word or as one of the 20
-- most alike that the company's goods have: with one character wrong, which is not the first of four or fewer, or, when it is longer, with most in common. Of a
-- code, see "code_slips". Null when no word has any that is alike, since beginnings alone have a query of their own.
-- Planning takes longer than running, so the plan is kept whatever the values are.
CREATE OR REPLACE FUNCTION "like_words"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
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
                    LIMIT 20) AS most) AS n
$$;

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

-- @reach all: it answers words of the text that it was given.
-- Returns those words of a text (see "search_tokens") that no good of the company has, not even as the beginning of a word. It goes by
-- the company's words, so words that only deleted goods have count as known, and so do words that are too short to be kept (see
-- "keep_good_words") and sizes.
CREATE OR REPLACE FUNCTION "unknown_words"(_company_id integer, _tokens text[]) RETURNS text[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
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
     WHERE NOT is_known
$$;

COMMENT ON INDEX good_words_company_id_word_idx IS 'Words that are like a typed one: all are looked for by their beginnings in the order of bytes, those without digits (which begin with "#") also by parts and with one letter left out. The schema''s own index has another order.';
COMMENT ON INDEX good_words_like_idx IS 'Words that are like a typed one: all are looked for by their beginnings in the order of bytes, those without digits (which begin with "#") also by parts and with one letter left out. The schema''s own index has another order.';
