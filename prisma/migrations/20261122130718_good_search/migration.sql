-- CreateTable
CREATE TABLE "good_words" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "word" TEXT NOT NULL,

    CONSTRAINT "good_words_pkey" PRIMARY KEY ("company_id","id")
);

-- AddForeignKey
ALTER TABLE "good_words" ADD CONSTRAINT "good_words_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Returns what differs between two states of a row, by column: the value before and the value after. Of columns that hold
-- objects it tells the keys that differ, such as "config.limit". Values of hidden columns are only told as set or not; of a
-- value that is longer than 10,000 characters as JSON, it tells the beginning, as a text.
-- Null when nothing differs but "updated_at", and what the database makes of other columns.
CREATE OR REPLACE FUNCTION "audit_changes"(_old jsonb, _new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    WITH "columns" AS (
        SELECT key AS path, key = ANY (_hidden) AS hidden,
               coalesce(_old -> key, 'null') AS before, coalesce(_new -> key, 'null') AS after
          FROM jsonb_object_keys(_old || _new) AS key
         WHERE key NOT IN ('company_id', 'updated_at', 'search_words')
           AND coalesce(_old -> key, 'null') <> coalesce(_new -> key, 'null')
    ), "values" AS (
        SELECT path, hidden, before, after FROM "columns"
         WHERE jsonb_typeof(before) <> 'object' AND jsonb_typeof(after) <> 'object'
        UNION ALL
        SELECT path || '.' || key, hidden, coalesce(before -> key, 'null'), coalesce(after -> key, 'null')
          FROM "columns",
               jsonb_object_keys(
                   CASE jsonb_typeof(before) WHEN 'object' THEN before ELSE '{}' END ||
                   CASE jsonb_typeof(after) WHEN 'object' THEN after ELSE '{}' END) AS key
         WHERE (jsonb_typeof(before) = 'object' OR jsonb_typeof(after) = 'object')
           AND coalesce(before -> key, 'null') <> coalesce(after -> key, 'null')
    )
    SELECT jsonb_object_agg(path, jsonb_build_array("audit_value"(before, hidden), "audit_value"(after, hidden)))
      FROM "values"
$$;

-- Returns the words of a folded text as goods are found by them: without punctuation, apart where letters and digits meet.
-- A word with digits stands behind "#".
CREATE OR REPLACE FUNCTION "search_parts"(_folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT CASE WHEN word ~ '[0-9]' THEN '#' ELSE '' END || left(word, 64)
          FROM regexp_split_to_table(
                   regexp_replace(_folded, '(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])', ' ', 'g'),
                   '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+') AS word
         WHERE word <> '')
$$;

-- Returns the words of a folded text as they are written between spaces, without the punctuation inside: "Coca-Cola" as
-- cocacola. A word with digits stands behind "#".
CREATE OR REPLACE FUNCTION "search_wholes"(_folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT CASE WHEN word ~ '[0-9]' THEN '#' ELSE '' END || left(word, 64)
          FROM regexp_split_to_table(
                   regexp_replace(_folded, '[\u0001-\u0008\u000e-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u009f\u00a1-\u00bf\u200b-\u206f\u3001-\u303f]+', '', 'g'),
                   '\s+') AS word
         WHERE word <> '')
$$;

-- Returns one word of a query, as "search_query" has it.
CREATE OR REPLACE FUNCTION "search_term"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '''' || _company_id || _mark || _word || ''''
        || CASE WHEN _is_prefix AND (_word !~ '^#' OR char_length(_word) > 4) THEN ':*' ELSE '' END
$$;

-- Returns what a good is found by. Each word stands behind the company, so that no company's words lengthen the search of
-- another: the words of all texts behind ":", those of the name behind ".", and name, sku and barcodes, each as a whole,
-- behind "=".
CREATE OR REPLACE FUNCTION "good_words_of"(
    _company_id integer, _name text, _short_details text, _sku text, _keywords text[], _barcodes text[]
) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT _company_id || mark || word
          FROM (SELECT public.folded(_name) AS name, public.folded(concat_ws(' ', _short_details, _sku,
                    left(array_to_string(_keywords, ' '), 10000), left(array_to_string(_barcodes, ' '), 10000))) AS others) AS folded,
               LATERAL (
                   SELECT '.' AS mark, unnest(public.search_parts(name) || public.search_wholes(name)) AS word
                    UNION ALL
                   SELECT ':', unnest(public.search_parts(name) || public.search_wholes(name)
                       || public.search_parts(others) || public.search_wholes(others))
                    UNION ALL
                   SELECT '=', array_to_string(public.search_parts(public.folded(whole)), '')
                     FROM unnest(ARRAY[_name, _sku] || _barcodes[1:100]) AS whole) AS words
         WHERE word <> ''))
$$;

-- Returns the query for a company's goods that have all words of a text, among the words behind the mark (see
-- "good_words_of"); with "_is_prefix" each as the beginning of a word. A number of fewer than four characters is no
-- beginning: too many codes begin alike. Null for a text without words.
CREATE OR REPLACE FUNCTION "search_query"(_company_id integer, _text text, _mark text, _is_prefix boolean) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(CASE WHEN parts = whole THEN whole ELSE '((' || parts || ')|' || whole || ')' END, '&')::tsquery
      FROM regexp_split_to_table(public.folded(_text), '\s+') AS token,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, word, _mark, _is_prefix), '&') AS parts
                 FROM unnest(public.search_parts(token)) AS word) AS apart,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, word, _mark, _is_prefix), '&') AS whole
                 FROM unnest(public.search_wholes(token)) AS word) AS together
     WHERE parts IS NOT NULL AND whole IS NOT NULL
$$;

-- Returns the query for a company's goods of which a text is the whole name, sku or barcode. Null for a text without words.
CREATE OR REPLACE FUNCTION "search_whole"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT public.search_term(_company_id, whole, '=', false)::tsquery
      FROM array_to_string(public.search_parts(public.folded(_text)), '') AS whole
     WHERE whole <> ''
$$;

-- Returns a word without each of its characters in turn, and the word itself. Two words have one of these in common when
-- one character is wrong, missing, too many, or has changed places with its neighbour.
CREATE OR REPLACE FUNCTION "one_left_out"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT overlay(_word PLACING '' FROM place FOR 1) FROM generate_series(1, char_length(_word)) AS place) || _word
$$;

-- Returns the query for a company's goods that have all words of a text, each as the beginning of a word or as one of the 20
-- most alike that the company's goods have: with one character wrong, or, when it is longer, with most in common. Of a
-- code, one half has to be right. Null for a text without words.
CREATE OR REPLACE FUNCTION "like_words"(_company_id integer, _text text) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg('(' || concat_ws('|', public.search_term(_company_id, w.word, ':', true), n.words) || ')', '&')::tsquery
      FROM (SELECT DISTINCT unnest(public.search_wholes(public.folded(_text))) AS word) AS w,
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

-- Adds the words of goods that were written to those of their company: words of three letters, and codes of six characters.
-- Two transactions at once may add a word twice, which does no harm; a unique index would have them wait for each other.
CREATE OR REPLACE FUNCTION "keep_good_words"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "good_words" ("company_id", "word")
    SELECT DISTINCT w."company_id", w."word"
      FROM (SELECT "company_id", substring(unnest(tsvector_to_array("search_words")) FROM '^[0-9]+:(.*)$') AS "word"
              FROM "written") AS w
     WHERE w."word" ~ '^(#.{6}|[^#]{3})'
       AND NOT EXISTS (SELECT FROM "good_words" g WHERE g."company_id" = w."company_id" AND g."word" COLLATE "C" = w."word");
    RETURN NULL;
END
$$;

-- What goods are found by. The table is written anew.
ALTER TABLE "goods" ADD COLUMN "search_words" tsvector GENERATED ALWAYS AS
    (good_words_of("company_id", "name", "short_details", "sku", "keywords", "barcodes")) STORED;
ALTER TABLE "goods" ALTER COLUMN "search_words" SET STATISTICS 500;

INSERT INTO "good_words" ("company_id", "word")
SELECT DISTINCT w."company_id", w."word"
  FROM (SELECT "company_id", substring(unnest(tsvector_to_array("search_words")) FROM '^[0-9]+:(.*)$') AS "word"
          FROM "goods") AS w
 WHERE w."word" ~ '^(#.{6}|[^#]{3})';

-- CreateIndex
CREATE INDEX "good_words_company_id_word_idx" ON "good_words"("company_id", "word" COLLATE "C");
CREATE INDEX "good_words_company_id_reverse_idx" ON "good_words"("company_id", reverse("word") text_pattern_ops) WHERE "word" ~ '^#';
CREATE INDEX "good_words_like_idx" ON "good_words" USING gin ("company_id", "word" gin_trgm_ops, one_left_out("word")) WHERE "word" !~ '^#';

CREATE TRIGGER goods_words_of_changed AFTER UPDATE ON public.goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_good_words();

CREATE TRIGGER goods_words_of_new AFTER INSERT ON public.goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_good_words();
