DROP ROUTINE loose_queries(integer,text);

DROP ROUTINE near_queries(integer,text);

DROP ROUTINE number_forms(text);

-- Returns the forms that a folded word may have in singular and plural, in the languages of some of PostgreSQL's dictionaries: those that
-- one of them leads to the same stem, by the endings that plurals have (so "manzano" is no form of "manzana"), and those whose stems
-- differ: luz and luces, pão and pães, animal and animais, cheval and chevaux, knife and knives.
-- Where none is named, the dictionaries of all languages of Europe's south and west are asked: the own language of a company says too
-- little. It is English where nobody set another, and most shops have goods in several languages. Asking all of them takes 0.05 ms more for a word.
-- One dictionary alone knows fewer forms of its own language: the Spanish one takes "auricular" for a verb and leads "auriculares" to
-- another stem, which others do not. So the regular plurals that a dictionary does not know are made where dictionaries are named.
-- Italian words (espresso, espressi) are of all languages.
CREATE OR REPLACE FUNCTION "number_forms"(_word text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH stems AS MATERIALIZED (
        SELECT dictionary, ts_lexize(dictionary, _word) AS stem
          FROM unnest(CASE WHEN cardinality(_dictionaries) > 0 THEN _dictionaries
                           ELSE '{english_stem,french_stem,german_stem,portuguese_stem,spanish_stem}' END) AS dictionary)
    SELECT coalesce(array_agg(DISTINCT form), '{}')
      FROM (SELECT form
              FROM unnest('{s,es,e,n,en,nen,er,ern,x}'::text[]) AS ending,
                   LATERAL (VALUES (_word || ending),
                                   (CASE WHEN right(_word, char_length(ending)) = ending THEN left(_word, -char_length(ending)) END)) AS made (form)
             WHERE EXISTS (SELECT FROM stems WHERE stem <> '{}' AND ts_lexize(dictionary, form) = stem)
             UNION ALL
            SELECT left(_word, -char_length(one)) || other
              FROM (VALUES ('z', 'ces', 'spanish_stem'::regdictionary), ('ao', 'oes', 'portuguese_stem'), ('ao', 'aes', 'portuguese_stem'),
                           ('l', 'is', 'portuguese_stem'), ('m', 'ns', 'portuguese_stem'), ('al', 'aux', 'french_stem'),
                           ('ail', 'aux', 'french_stem'), ('y', 'ies', 'english_stem'), ('f', 'ves', 'english_stem'),
                           ('fe', 'ves', 'english_stem'), ('um', 'en', 'german_stem'), ('us', 'en', 'german_stem'),
                           ('o', 'i', NULL)) AS pair (singular, plural, language),
                   LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
             WHERE CASE WHEN right(_word, char_length(one)) = one
                        THEN cardinality(_dictionaries) = 0 OR language IS NULL OR language = ANY (_dictionaries) END
             UNION ALL
            SELECT left(_word, -char_length(one)) || other
              FROM (VALUES ('us', 'uses', 'english_stem'::regdictionary), ('a', 'as', 'french_stem'), ('i', 'is', 'french_stem'),
                           ('o', 'os', 'french_stem'), ('r', 'rs', 'french_stem'), ('u', 'us', 'french_stem'), ('a', 'as', 'german_stem'),
                           ('ee', 'ees', 'german_stem'), ('i', 'is', 'german_stem'), ('o', 'os', 'german_stem'), ('p', 'ps', 'german_stem'),
                           ('u', 'us', 'german_stem'), ('w', 'ws', 'german_stem'), ('y', 'ys', 'german_stem'), ('a', 'as', 'portuguese_stem'),
                           ('o', 'os', 'portuguese_stem'), ('r', 'res', 'portuguese_stem'), ('u', 'us', 'portuguese_stem'),
                           ('d', 'des', 'spanish_stem'), ('i', 'is', 'spanish_stem'), ('n', 'nes', 'spanish_stem'),
                           ('r', 'res', 'spanish_stem'), ('u', 'us', 'spanish_stem')) AS regular (singular, plural, language),
                   LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
             WHERE cardinality(_dictionaries) > 0 AND right(_word, char_length(one)) = one AND language = ANY (_dictionaries)) AS forms
     WHERE char_length(_word) BETWEEN 3 AND 40 AND _word !~ '[^a-z]' AND char_length(form) >= 3 AND form <> _word
$$;

-- Returns the queries for a company's goods that have something of a word that no good has, for texts that find nothing otherwise: of a
-- compound "both" of its parts, or "one" of them (überwachungskamera: Kamera; akkubohrer: Akku, Bohrhammer), or a longer word that has a part like the
-- word (friteuse: Heißluftfritteuse). A compound is parted where its second part is a word of the company's
-- goods, or begins or ends one whose other part is a word as well, or where its first part is one and the second one begins like one. For
-- both parts the second one may also be an ending that several words have (handmixer: Stabmixer, Standmixer). Each other word has to be there, maybe as a beginning. Null where no word has any such part.
-- The dictionaries are those of "number_forms".
CREATE OR REPLACE FUNCTION "loose_queries"(_company_id integer, _text text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS TABLE ("both" tsquery, "one" tsquery)
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
    forms AS MATERIALIZED (SELECT place, at, public.number_forms(rest, _dictionaries) || rest AS forms FROM rests),
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
          FROM forms r JOIN public.good_words g ON g.company_id = _company_id AND g.word COLLATE "C" = ANY (r.forms)
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
    endings AS MATERIALIZED (
        SELECT place, at, word FROM compounds c
         WHERE NOT begins AND EXISTS (SELECT FROM compounds o WHERE o.place = c.place AND o.at = c.at AND NOT o.begins AND o.word <> c.word)
           AND NOT EXISTS (SELECT FROM heads h WHERE h.place = c.place AND h.at = c.at)),
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
               (SELECT string_agg(term, '|') FROM (
                   SELECT '(' || first || '&' || rest || ')' AS term FROM parts p WHERE p.place = w.place
                    UNION ALL
                   SELECT '(' || public.search_term(_company_id, s.first, ':', true) || '&' || public.search_term(_company_id, e.word, ':', false) || ')'
                     FROM endings e JOIN splits s USING (place, at)
                    WHERE e.place = w.place
                      AND EXISTS (SELECT FROM public.good_words g WHERE g.company_id = _company_id AND g.word COLLATE "C" = s.first)) AS terms) AS both_parts,
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
           LATERAL (
               SELECT CASE WHEN EXISTS (SELECT FROM loose WHERE both_parts IS NOT NULL OR one_part IS NOT NULL)
                           THEN public.search_query(_company_id, token, ':', true)::text END AS query OFFSET 0) AS plain
     WHERE word IS NOT NULL
$$;

-- @reach all: it answers queries of words, and no row.
-- Returns the queries for a company's goods that have all words of a text in another form: "plural" each as it is or in singular or
-- plural, or another writing of its number, "apart" each also as a beginning, as the end of a longer word (kabel in netzwerkkabel), in two words where it is made of two that the
-- company's goods have (kaffeetasse), or as one word with its neighbour (play station), maybe with a letter or two that join them.
-- Null where no word has any such form. All words of a kind are looked up in the index of the company's words.
-- The dictionaries are those of "number_forms".
CREATE OR REPLACE FUNCTION "near_queries"(_company_id integer, _text text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS TABLE ("plural" tsquery, "apart" tsquery)
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
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
      FROM (SELECT token, plural, apart, count(plural) OVER () AS plurals, count(apart) OVER () AS aparts FROM tokens JOIN forms USING (place)) AS all_forms
$$;
