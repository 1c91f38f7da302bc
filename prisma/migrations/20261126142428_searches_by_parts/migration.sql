-- Returns how else a small number of a folded text is written, in Spanish, German, English, Portuguese and French: 4 as "cuatro",
-- and "cuatro" as 4, behind "#" as goods' words have it. One is left out: it is an article as well.
CREATE OR REPLACE FUNCTION "number_names"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT other), '{}')
      FROM (VALUES ('{#2,dos,zwei,two,dois,duas,deux}'::text[]), ('{#3,tres,drei,three,trois}'), ('{#4,cuatro,vier,four,quatro,quatre}'),
                   ('{#5,cinco,funf,five,cinq}'), ('{#6,seis,sechs,six}'), ('{#7,siete,sieben,seven,sete,sept}'),
                   ('{#8,ocho,acht,eight,oito,huit}'), ('{#9,nueve,neun,nine,nove,neuf}'), ('{#10,diez,zehn,ten,dez,dix}'),
                   ('{#12,doce,zwolf,twelve,doze,douze}'), ('{#20,veinte,zwanzig,twenty,vinte,vingt}'),
                   ('{#100,cien,hundert,hundred,cem,cent}')) AS number (names),
           LATERAL unnest(names) AS other
     WHERE names @> ARRAY[CASE WHEN _word ~ '^[0-9]' THEN '#' || _word ELSE _word END]
       AND other <> _word AND other <> '#' || _word
$$;
-- Returns the digits of a word in the order of their values: two codes of the same digits differ by what a slip may change.
CREATE OR REPLACE FUNCTION "digits_of"(_word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(digit, '' ORDER BY digit), '') FROM regexp_split_to_table(regexp_replace(_word, '[^0-9]', '', 'g'), '') AS digit
$$;

-- Returns the query for a company's goods that have all words of a text, each as the beginning of a word or as one of the 20
-- most alike that the company's goods have: with one character wrong, which is not the first of four or fewer, or, when it is longer, with most in common. Of a
-- code, one half has to be right, and all of its digits have to be there: with another digit it is another code. Null when no word has any that is alike, since beginnings alone have a query of their own.
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
                         WHERE g.company_id = _company_id AND w.word ~ '^#.{6}'
                           AND g.word COLLATE "C" >= left(w.word, 1 + char_length(w.word) / 2)
                           AND g.word COLLATE "C" < (left(w.word, 1 + char_length(w.word) / 2) || U&'\FFFF')
                           AND public.similarity(g.word, w.word) >= 0.25
                           AND public.digits_of(g.word) = public.digits_of(w.word)
                           AND EXISTS (SELECT FROM generate_series(1, char_length(g.word) + 1) AS place WHERE overlay(g.word PLACING '' FROM place FOR 1) = ANY (w.left_out))
                         LIMIT 5)
                        UNION
                       (SELECT g.word FROM public.good_words g
                         WHERE g.company_id = _company_id AND w.word ~ '^#.{6}'
                           AND reverse(g.word) ~>=~ reverse(right(w.word, (char_length(w.word) - 1) / 2))
                           AND g.word ~ '^#' AND reverse(g.word) ~<~ (reverse(right(w.word, (char_length(w.word) - 1) / 2)) || U&'\FFFF')
                           AND public.similarity(g.word, w.word) >= 0.25
                           AND public.digits_of(g.word) = public.digits_of(w.word)
                           AND EXISTS (SELECT FROM generate_series(1, char_length(g.word) + 1) AS place WHERE overlay(g.word PLACING '' FROM place FOR 1) = ANY (w.left_out))
                         LIMIT 5)) AS alike
                    ORDER BY public.similarity(word, w.word) DESC, word
                    LIMIT 20) AS most) AS n
$$;

-- @reach all: it answers queries of words, and no row.
-- Returns the queries for a company's goods that have something of a word that no good has, for texts that find nothing otherwise: of a
-- compound "both" of its parts, or "one" of them (überwachungskamera: Kamera; akkubohrer: Akku, Bohrhammer), or a longer word that has a part like the
-- word (friteuse: Heißluftfritteuse). A compound is parted where its second part is a word of the company's
-- goods, or begins or ends one whose other part is a word as well, or where its first part is one and the second one begins like one. Each other word has to be there, maybe as a beginning. Null where no word has any such part.
CREATE OR REPLACE FUNCTION "loose_queries"(_company_id integer, _text text) RETURNS TABLE ("both" tsquery, "one" tsquery)
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan SET pg_trgm.word_similarity_threshold = 0.5 AS $$
    WITH tokens AS MATERIALIZED (
        SELECT token, place, (public.search_wholes(token))[1] AS word
          FROM unnest(public.search_tokens(public.folded(_text))) WITH ORDINALITY AS t (token, place)),
    words AS MATERIALIZED (
        SELECT place, word FROM tokens
         WHERE word ~ '^[a-z]{7,40}$'
           AND NOT EXISTS (SELECT FROM public.good_words g
                            WHERE g.company_id = _company_id AND g.word COLLATE "C" >= tokens.word AND g.word COLLATE "C" < (tokens.word || U&'\+10FFFF'))),
    joints AS MATERIALIZED (SELECT unnest('{"",s,n,e,en,es,er}'::text[]) AS letters),
    splits AS MATERIALIZED (
        SELECT place, at, left(word, at - char_length(letters)) AS first, substr(word, at + 1) AS rest
          FROM words, generate_series(4, char_length(word) - 4) AS at, joints
         WHERE at - char_length(letters) >= 4 AND substr(word, at - char_length(letters) + 1, char_length(letters)) = letters),
    rests AS MATERIALIZED (SELECT DISTINCT place, at, rest FROM splits WHERE char_length(rest) >= 5),
    compounds AS MATERIALIZED (
        SELECT DISTINCT r.place, r.at, g.word, substr(g.word, char_length(r.rest) + 1) AS other, true AS begins
          FROM rests r, LATERAL (
              SELECT g.word FROM public.good_words g
               WHERE g.company_id = _company_id AND g.word COLLATE "C" > r.rest AND g.word COLLATE "C" < (r.rest || U&'\+10FFFF')
               LIMIT 20) AS g
         UNION ALL
        SELECT DISTINCT r.place, r.at, g.word, left(g.word, -char_length(r.rest)), false
          FROM words w,
               LATERAL (
                   SELECT g.word FROM public.good_words g
                    WHERE g.company_id = _company_id AND g.word !~ '^#' AND g.word LIKE '%_' || right(w.word, 5)
                    LIMIT 200) AS g
          JOIN rests r ON g.word LIKE '%_' || r.rest
         WHERE r.place = w.place),
    heads AS MATERIALIZED (
        SELECT r.place, r.at, g.word, false AS is_beginning
          FROM rests r JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (public.number_forms(r.rest) || r.rest)
         UNION
        SELECT c.place, c.at, c.word, false FROM compounds c
         WHERE EXISTS (SELECT FROM joints j JOIN public.good_words g ON g.company_id = _company_id AND char_length(g.word) >= 3
                          AND g.word COLLATE "C" = CASE WHEN begins AND starts_with(c.other, j.letters) THEN substr(c.other, char_length(j.letters) + 1)
                                                        WHEN NOT begins AND right(c.other, char_length(j.letters)) = j.letters THEN left(c.other, -char_length(j.letters)) END)
         UNION
        SELECT s.place, s.at, left(s.rest, 4), true
          FROM splits s JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = s.first
         WHERE char_length(s.rest) >= 5
           AND EXISTS (SELECT FROM public.good_words g
                        WHERE g.company_id = _company_id AND g.word COLLATE "C" >= left(s.rest, 4) AND g.word COLLATE "C" < (left(s.rest, 4) || U&'\+10FFFF'))),
    parts AS MATERIALIZED (
        SELECT place, at, '(' || string_agg(DISTINCT term, '|') FILTER (WHERE is_first) || ')' AS first,
               '(' || string_agg(DISTINCT term, '|') FILTER (WHERE NOT is_first) || ')' AS rest
          FROM (SELECT place, at, true AS is_first, public.search_term(_company_id, first, ':', true) AS term FROM splits
                 WHERE (place, at) IN (SELECT place, at FROM heads)
                 UNION ALL
                SELECT place, at, false, public.search_term(_company_id, word, ':', is_beginning) FROM heads) AS terms
         GROUP BY place, at),
    loose AS MATERIALIZED (
        SELECT w.place,
               (SELECT string_agg('(' || first || '&' || rest || ')', '|') FROM parts p WHERE p.place = w.place) AS both_parts,
               (SELECT string_agg(term, '|') FROM (
                   SELECT first AS term FROM parts p WHERE p.place = w.place AND first IS NOT NULL
                    UNION ALL
                   SELECT rest FROM parts p WHERE p.place = w.place AND rest IS NOT NULL
                    UNION ALL
                  (SELECT public.search_term(_company_id, g.word, ':', false) FROM public.good_words g
                    WHERE g.company_id = _company_id AND g.word !~ '^#' AND g.word OPERATOR(public.%>) w.word
                    ORDER BY public.word_similarity(w.word, g.word) DESC, g.word LIMIT 5)) AS terms) AS one_part
          FROM words w)
    SELECT CASE WHEN count(l.both_parts) = count(l.place) AND count(l.place) > 0 THEN string_agg('(' || coalesce(l.both_parts, query) || ')', '&')::tsquery END,
           CASE WHEN count(l.one_part) > 0 THEN string_agg('(' || coalesce(l.one_part, query) || ')', '&')::tsquery END
      FROM tokens t LEFT JOIN loose l USING (place),
           LATERAL (SELECT public.search_query(_company_id, token, ':', true)::text AS query OFFSET 0) AS plain
     WHERE word IS NOT NULL
$$;

-- @reach all: it answers queries of words, and no row.
-- Returns the queries for a company's goods that have all words of a text in another form: "plural" each as it is or in singular or
-- plural, or another writing of its number, "apart" each also as a beginning, as the end of a longer word (kabel in netzwerkkabel), in two words where it is made of two that the
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
    numbers AS MATERIALIZED (SELECT t.place, name FROM tokens t, LATERAL unnest(public.number_names(t.token)) AS name),
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
    SELECT CASE WHEN count(f.plural) > 0 THEN string_agg('(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', false)::text || ')', f.plural) || ')', '&')::tsquery END,
           CASE WHEN count(f.apart) > 0 THEN string_agg('(' || concat_ws('|', '(' || public.search_query(_company_id, token, ':', true)::text || ')', f.plural, f.apart) || ')', '&')::tsquery END
      FROM tokens t JOIN forms f USING (place)
$$;
