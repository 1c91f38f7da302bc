-- Notes in "row_counts" how many rows a statement has added, removed or deleted softly. The arguments are the table and, where its rows can
-- be deleted softly, 'soft': a part of a distributed table has a name of its own.
-- What has changed is counted by a statement of its own: a distributed table cannot be written from rows that the transaction alone sees.
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _sign integer := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
    _company integer;
    _live bigint;
    _deleted bigint;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        _sign := CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END;
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        VALUES (NEW."company_id", TG_ARGV[0], _sign, -_sign);
    ELSIF TG_NARGS = 2 THEN
        FOR _company, _live, _deleted IN
            SELECT "company_id", _sign * count(*) FILTER (WHERE "deleted_at" IS NULL),
                   _sign * count(*) FILTER (WHERE "deleted_at" IS NOT NULL)
              FROM "changed" GROUP BY "company_id"
        LOOP
            INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
            VALUES (_company, TG_ARGV[0], _live, _deleted);
        END LOOP;
    ELSE
        FOR _company, _live IN SELECT "company_id", _sign * count(*) FROM "changed" GROUP BY "company_id" LOOP
            INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
            VALUES (_company, TG_ARGV[0], _live, 0);
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;
