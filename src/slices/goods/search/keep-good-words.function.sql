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
