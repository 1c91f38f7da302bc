-- Folds some entries of "usage_counts", at most that many, into those with the id 0; returns how many. Whoever reads the sums meanwhile gets
-- the same. A distributed database folds those of one company at a time, as "fold_row_counts" does.
CREATE OR REPLACE FUNCTION "fold_usage_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _of_company text := '';
    _folded integer;
BEGIN
    IF "is_distributed"() THEN
        /* all companies */
        SELECT format('"company_id" = %s AND', "company_id") INTO _of_company
          FROM "usage_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT 1;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
    END IF;
    EXECUTE format($statement$
        WITH "taken" AS (
            DELETE FROM "usage_counts"
             WHERE %1$s ctid = ANY (ARRAY(
                 SELECT ctid FROM "usage_counts" WHERE %1$s "id" > 0 ORDER BY "company_id", "name", "day"
                  LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING "company_id", "name", "day", "amount"
        ), "folded" AS (
            INSERT INTO "usage_counts" AS "sum" ("company_id", "name", "day", "id", "amount")
            SELECT "company_id", "name", "day", 0, sum("amount")
              FROM "taken" GROUP BY "company_id", "name", "day" ORDER BY "company_id", "name", "day"
                ON CONFLICT ("company_id", "name", "day", "id") DO UPDATE SET "amount" = "sum"."amount" + EXCLUDED."amount"
        )
        SELECT count(*)::integer FROM "taken"
    $statement$, _of_company) INTO _folded USING _most;
    RETURN _folded;
END
$$;
