DROP ROUTINE record_refused_sign_ins(integer[],integer[],text,text,text);

DROP ROUTINE settled_movement(interval);

-- Closes the books of a company up to a moment. A movement takes its moment when its transaction has a number already, so
-- after those that run now have ended, nothing before this moment can still be committed: it waits for them, at most
-- `_patience`, and holds nothing meanwhile. In a distributed database they run, and are waited for, where the company's row is.
--
-- Outcomes: `closed`; `not_past`, `not_later` than the last period, `busy` when something ran longer.
CREATE OR REPLACE FUNCTION "close_balance_period"(_company integer, _until timestamptz, _admin integer, _patience interval)
RETURNS TABLE (outcome text, id integer, until timestamptz, admin_id integer, created_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    outcome := CASE
        WHEN _until > clock_timestamp() THEN 'not_past'
        WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
    END;
    IF outcome IS NULL AND NOT (SELECT "await_running"(_patience) FROM "companies" AS c WHERE c."id" = _company) THEN
        outcome := 'busy';
    END IF;
    -- Another closing that got the number meanwhile may be a later one.
    WHILE outcome IS NULL LOOP
        INSERT INTO "balance_periods" AS p ("company_id", "id", "until", "admin_id", "created_at")
        SELECT _company, coalesce(max(o."id"), 0) + 1, _until, _admin, clock_timestamp() FROM "balance_periods" AS o
         WHERE o."company_id" = _company
        HAVING coalesce(max(o."until") < _until, true)
        ON CONFLICT DO NOTHING
        RETURNING p."id", p."until", p."admin_id", p."created_at" INTO id, until, admin_id, created_at;
        outcome := CASE
            WHEN FOUND THEN 'closed'
            WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
        END;
    END LOOP;
    RETURN NEXT;
END
$$;

-- @reach all: it answers an estimate, and no row.
-- Returns about how many goods a query finds, as the planner expects it. Of a distributed database it expects nothing that is of use:
-- there each query is taken to find few, which is slower for a word that very many goods have.
CREATE OR REPLACE FUNCTION "estimated_goods"(_query tsquery) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    plan json;
BEGIN
    IF public.is_distributed() THEN
        RETURN 0;
    END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.goods WHERE deleted_at IS NULL AND search_words @@ %L::tsquery', _query)
       INTO plan;
    RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;

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

-- Removes the oldest entries of the journal from before a moment, at most so many, and returns how many. In a distributed database these are
-- of the company with the oldest one.
CREATE OR REPLACE FUNCTION "purge_journal"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _count integer;
    _company_id integer;
BEGIN
    /* all companies */
    IF coalesce((SELECT min("at") FROM "journal_entries") >= _before, true) THEN
        RETURN 0;
    END IF;
    UPDATE "journal_states" SET "purged_before" = greatest("purged_before", _before) WHERE "id" = 1;
    IF "is_distributed"() THEN
        SELECT "company_id" INTO _company_id FROM "journal_entries" WHERE "at" < _before ORDER BY "at" LIMIT 1;
    END IF;
    DELETE FROM "journal_entries" WHERE (_company_id IS NULL OR "company_id" = _company_id) AND ctid = ANY (ARRAY(
        SELECT ctid FROM "journal_entries"
         WHERE (_company_id IS NULL OR "company_id" = _company_id) AND "at" < _before ORDER BY "at" LIMIT _most));
    GET DIAGNOSTICS _count = ROW_COUNT;
    RETURN _count;
END
$$;

-- Writes an entry of the audit trail for an admin as whom somebody was refused to sign in. It writes as its owner: the service needs no
-- right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_refused_sign_in"(
    _company_id integer, _admin_id integer, _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (_company_id, 'login', _request_id, 'sign_in_refused', 'admin', _admin_id, '{}', _address, _device);
END
$$;

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

-- Returns an id: all movements of a company up to it are committed or given up for good. It waits for transactions that run now, which may
-- have taken such ids, at most `_patience`; nothing when one of them runs longer. A movement gets its id behind a lock of
-- its holder's row, so that its transaction has a number already and is waited for; in a distributed database that is so where the
-- company's row is.
CREATE OR REPLACE FUNCTION "settled_movement"(_company integer, _patience interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _last CONSTANT bigint := (SELECT "last_value" FROM "balance_movements_id_seq");
BEGIN
    RETURN CASE WHEN (SELECT "await_running"(_patience) FROM "companies" WHERE "id" = _company) THEN _last END;
END
$$;

-- @reach all: it answers words of the text that it was given.
-- Returns those words of a text (see "search_tokens") that no good of the company has, not even as the beginning of a word. It goes by
-- the company's words, so words that only deleted goods have count as known, and so do words that are too short to be kept (see
-- "keep_good_words") and sizes.
CREATE OR REPLACE FUNCTION "unknown_words"(_company_id integer, _tokens text[]) RETURNS text[]
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (
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
         WHERE NOT is_known);
END
$$;

-- Refuses a row that somebody who is bound to shops has written beyond them: one of another shop is as if it did not exist, one of
-- the whole company is read alone.
CREATE OR REPLACE FUNCTION "within_bounds"(_is_written boolean, _is_read boolean) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF _is_written THEN
        RETURN true;
    END IF;
    IF _is_read THEN
        RAISE EXCEPTION 'a row of the whole company is read alone' USING ERRCODE = 'SB403';
    END IF;
    RAISE EXCEPTION 'a row is beyond the bounds' USING ERRCODE = 'SB404';
END
$$;
