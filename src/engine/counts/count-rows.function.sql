-- Notes in "row_counts" how many rows a statement has added, removed or deleted softly. The argument 'soft' is given
-- for tables whose rows can be deleted softly.
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _sign integer := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        _sign := CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END;
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        VALUES (NEW."company_id", TG_TABLE_NAME, _sign, -_sign);
    ELSIF TG_NARGS = 1 THEN
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        SELECT "company_id", TG_TABLE_NAME,
               _sign * count(*) FILTER (WHERE "deleted_at" IS NULL),
               _sign * count(*) FILTER (WHERE "deleted_at" IS NOT NULL)
          FROM "changed" GROUP BY "company_id";
    ELSE
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        SELECT "company_id", TG_TABLE_NAME, _sign * count(*), 0 FROM "changed" GROUP BY "company_id";
    END IF;
    RETURN NULL;
END
$$;
