-- Folds at most that many entries of "row_counts" into those with the id 0; returns how many. Whoever reads the sums
-- meanwhile gets the same.
CREATE OR REPLACE FUNCTION "fold_row_counts"(_most integer) RETURNS integer
LANGUAGE sql AS $$
    WITH "taken" AS (
        DELETE FROM "row_counts"
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM "row_counts" WHERE "id" > 0 ORDER BY "company_id", "table_name"
              LIMIT _most FOR UPDATE SKIP LOCKED))
        RETURNING "company_id", "table_name", "live", "deleted"
    ), "folded" AS (
        INSERT INTO "row_counts" AS "sum" ("company_id", "table_name", "id", "live", "deleted")
        SELECT "company_id", "table_name", 0, sum("live"), sum("deleted")
          FROM "taken" GROUP BY "company_id", "table_name" ORDER BY "company_id", "table_name"
            ON CONFLICT ("company_id", "table_name", "id") DO UPDATE
           SET "live" = "sum"."live" + EXCLUDED."live", "deleted" = "sum"."deleted" + EXCLUDED."deleted"
    )
    SELECT count(*)::integer FROM "taken"
$$;
