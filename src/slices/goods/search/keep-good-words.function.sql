-- Adds the words of goods that were written to those of their company: words of three letters, and codes of six characters.
-- Two transactions at once may add a word twice, which does no harm; a unique index would have them wait for each other.
-- A change of other columns, such as prices, brings no words.
-- Each word is looked up in the index, by a list: a join might read the words of all companies for each batch of goods.
CREATE OR REPLACE FUNCTION "keep_good_words"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _words text[];
    _known text[];
BEGIN
    -- In a trigger of new rows there are no replaced ones, so the expression stands alone.
    IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT "company_id", "search_words" FROM "written" EXCEPT SELECT "company_id", "search_words" FROM "replaced") THEN
            RETURN NULL;
        END IF;
    END IF;
    FOR _company, _words IN
        SELECT w."company_id", array_agg(w."word")
          FROM (SELECT DISTINCT "company_id", substr(entry, char_length("company_id"::text) + 2) AS "word"
                  FROM (SELECT "company_id", unnest(tsvector_to_array("search_words")) AS entry FROM "written") AS entries
                 WHERE starts_with(entry, "company_id" || ':')
                OFFSET 0) AS w
         WHERE char_length(w."word") >= CASE WHEN starts_with(w."word", '#') THEN 7 ELSE 3 END
         GROUP BY w."company_id"
    LOOP
        _known := ARRAY(SELECT "word" FROM "good_words" WHERE "company_id" = _company AND "word" COLLATE "C" = ANY (_words));
        INSERT INTO "good_words" ("company_id", "word")
        SELECT _company, w."word" FROM (SELECT unnest(_words) EXCEPT SELECT unnest(_known)) AS w("word");
    END LOOP;
    RETURN NULL;
END
$$;
