-- Folds some entries of "row_counts", at most that many, into those with the id 0; returns how many. Whoever reads the sums meanwhile gets
-- the same. A distributed database locks no rows of all companies at once: there it is those of the first company that has some.
CREATE OR REPLACE FUNCTION "fold_row_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _of_company text := '';
    _folded integer;
BEGIN
    IF "is_distributed"() THEN
        /* all companies */
        SELECT format('"company_id" = %s AND', "company_id") INTO _of_company
          FROM "row_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT 1;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
    END IF;
    EXECUTE format($statement$
        WITH "taken" AS (
            DELETE FROM "row_counts"
             WHERE %1$s ctid = ANY (ARRAY(
                 SELECT ctid FROM "row_counts" WHERE %1$s "id" > 0 ORDER BY "company_id", "table_name"
                  LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING "company_id", "table_name", "live", "deleted"
        ), "folded" AS (
            INSERT INTO "row_counts" AS "sum" ("company_id", "table_name", "id", "live", "deleted")
            SELECT "company_id", "table_name", 0, sum("live"), sum("deleted")
              FROM "taken" GROUP BY "company_id", "table_name" ORDER BY "company_id", "table_name"
                ON CONFLICT ("company_id", "table_name", "id") DO UPDATE
               SET "live" = "sum"."live" + EXCLUDED."live", "deleted" = "sum"."deleted" + EXCLUDED."deleted"
        )
        SELECT count(*)::integer FROM "taken"
    $statement$, _of_company) INTO _folded USING _most;
    RETURN _folded;
END
$$;
