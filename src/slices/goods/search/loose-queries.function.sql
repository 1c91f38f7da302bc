-- Returns the queries for a company's goods that have something of a word that no good has, for texts that find nothing otherwise: of a
-- compound "both" of its parts, or "one" of them (überwachungskamera: Kamera; akkubohrer: Akku, Bohrhammer), or a longer word that has a part like the
-- word (friteuse: Heißluftfritteuse). A compound is parted where its second part is a word of the company's
-- goods, or begins or ends one whose other part is a word as well, or where its first part is one and the second one begins like one. For
-- both parts the second one may also be an ending that several words have (handmixer: Stabmixer, Standmixer). Each other word has to be there, maybe as a beginning. Null where no word has any such part.
-- The dictionaries are those of "number_forms".
CREATE OR REPLACE FUNCTION "loose_queries"(_company_id integer, _text text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS TABLE ("both" tsquery, "one" tsquery)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan SET pg_trgm.word_similarity_threshold = 0.5 AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
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
     WHERE word IS NOT NULL;
END
$$;
