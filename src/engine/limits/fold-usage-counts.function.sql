-- Folds at most that many entries of "usage_counts" into those with the id 0; returns how many. Whoever reads the sums meanwhile gets the
-- same. It goes company by company, as "fold_row_counts" does.
CREATE OR REPLACE FUNCTION "fold_usage_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _count integer;
    _folded integer := 0;
BEGIN
    /* all companies */
    FOR _company IN
        SELECT DISTINCT "company_id"
          FROM (SELECT "company_id" FROM "usage_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT _most) AS "waiting" ORDER BY 1
    LOOP
        WITH "taken" AS (
            DELETE FROM "usage_counts"
             WHERE "company_id" = _company AND ctid = ANY (ARRAY(
                 SELECT ctid FROM "usage_counts" WHERE "company_id" = _company AND "id" > 0 ORDER BY "name", "day"
                  LIMIT _most - _folded FOR UPDATE SKIP LOCKED))
            RETURNING "name", "day", "amount"
        ), "folded" AS (
            INSERT INTO "usage_counts" AS "sum" ("company_id", "name", "day", "id", "amount")
            SELECT _company, "name", "day", 0, sum("amount")
              FROM "taken" GROUP BY "name", "day" ORDER BY "name", "day"
                ON CONFLICT ("company_id", "name", "day", "id") DO UPDATE SET "amount" = "sum"."amount" + EXCLUDED."amount"
        )
        SELECT count(*) INTO _count FROM "taken";
        _folded := _folded + _count;
    END LOOP;
    RETURN _folded;
END
$$;
