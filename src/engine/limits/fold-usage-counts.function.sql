-- Folds at most that many entries of "usage_counts" into those with the id 0; returns how many. Whoever reads the sums
-- meanwhile gets the same.
CREATE OR REPLACE FUNCTION "fold_usage_counts"(_most integer) RETURNS integer
LANGUAGE sql AS $$
    WITH "taken" AS (
        DELETE FROM "usage_counts"
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM "usage_counts" WHERE "id" > 0 ORDER BY "company_id", "name", "day"
              LIMIT _most FOR UPDATE SKIP LOCKED))
        RETURNING "company_id", "name", "day", "amount"
    ), "folded" AS (
        INSERT INTO "usage_counts" AS "sum" ("company_id", "name", "day", "id", "amount")
        SELECT "company_id", "name", "day", 0, sum("amount")
          FROM "taken" GROUP BY "company_id", "name", "day" ORDER BY "company_id", "name", "day"
            ON CONFLICT ("company_id", "name", "day", "id") DO UPDATE SET "amount" = "sum"."amount" + EXCLUDED."amount"
    )
    SELECT count(*)::integer FROM "taken"
$$;
