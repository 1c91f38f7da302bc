DROP TRIGGER goods_words_of_changed ON goods;

-- Adds the words of goods that were written to those of their company: words of three letters, and codes of six characters.
-- Two transactions at once may add a word twice, which does no harm; a unique index would have them wait for each other.
-- A change of other columns, such as prices, brings no words.
-- Each word is looked up in the index: a join in another way would read the words of all companies for each batch of goods.
CREATE OR REPLACE FUNCTION "keep_good_words"() RETURNS trigger
LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    -- In a trigger of new rows there are no replaced ones, so the expression stands alone.
    IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT "company_id", "search_words" FROM "written" EXCEPT SELECT "company_id", "search_words" FROM "replaced") THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO "good_words" ("company_id", "word")
    SELECT w."company_id", w."word"
      FROM (SELECT DISTINCT "company_id", substr(entry, char_length("company_id"::text) + 2) AS "word"
              FROM (SELECT "company_id", unnest(tsvector_to_array("search_words")) AS entry FROM "written") AS entries
             WHERE starts_with(entry, "company_id" || ':')
            OFFSET 0) AS w
     WHERE char_length(w."word") >= CASE WHEN starts_with(w."word", '#') THEN 7 ELSE 3 END
       AND NOT EXISTS (SELECT FROM "good_words" g WHERE g."company_id" = w."company_id" AND g."word" COLLATE "C" = w."word");
    RETURN NULL;
END
$$;

CREATE TRIGGER goods_words_of_changed AFTER UPDATE ON public.goods REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION keep_good_words();
