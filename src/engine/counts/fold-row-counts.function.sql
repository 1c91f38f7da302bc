-- Folds at most that many entries of "row_counts" into those with the id 0; returns how many. Whoever reads the sums meanwhile gets the
-- same. It goes company by company, since a distributed database locks no rows of all companies at once.
CREATE OR REPLACE FUNCTION "fold_row_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _count integer;
    _folded integer := 0;
BEGIN
    /* all companies */
    FOR _company IN
        SELECT DISTINCT "company_id"
          FROM (SELECT "company_id" FROM "row_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT _most) AS "waiting" ORDER BY 1
    LOOP
        WITH "taken" AS (
            DELETE FROM "row_counts"
             WHERE "company_id" = _company AND ctid = ANY (ARRAY(
                 SELECT ctid FROM "row_counts" WHERE "company_id" = _company AND "id" > 0 ORDER BY "table_name"
                  LIMIT _most - _folded FOR UPDATE SKIP LOCKED))
            RETURNING "table_name", "live", "deleted"
        ), "folded" AS (
            INSERT INTO "row_counts" AS "sum" ("company_id", "table_name", "id", "live", "deleted")
            SELECT _company, "table_name", 0, sum("live"), sum("deleted")
              FROM "taken" GROUP BY "table_name" ORDER BY "table_name"
                ON CONFLICT ("company_id", "table_name", "id") DO UPDATE
               SET "live" = "sum"."live" + EXCLUDED."live", "deleted" = "sum"."deleted" + EXCLUDED."deleted"
        )
        SELECT count(*) INTO _count FROM "taken";
        _folded := _folded + _count;
    END LOOP;
    RETURN _folded;
END
$$;
