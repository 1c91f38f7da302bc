-- Notes in "usage_counts" what rows that a statement has added or removed use of a quota of their company. The arguments name
-- the quota and the column with the amount.
CREATE OR REPLACE FUNCTION "count_usage"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "usage_counts" ("company_id", "name", "amount")
    SELECT c."company_id", TG_ARGV[0],
           CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END * sum((to_jsonb(c) ->> TG_ARGV[1])::bigint)
      FROM "changed" AS c GROUP BY c."company_id";
    RETURN NULL;
END
$$;
