-- Notes in "usage_counts" what rows that a statement has added or removed use of a quota of their company. The arguments name
-- the quota and the column with the amount. The amounts are summed by a statement of their own, as in "count_rows".
CREATE OR REPLACE FUNCTION "count_usage"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _company integer;
    _amount bigint;
BEGIN
    FOR _company, _amount IN
        SELECT c."company_id", CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END * sum((to_jsonb(c) ->> TG_ARGV[1])::bigint)
          FROM "changed" AS c GROUP BY c."company_id"
    LOOP
        INSERT INTO "usage_counts" ("company_id", "name", "amount") VALUES (_company, TG_ARGV[0], _amount);
    END LOOP;
    RETURN NULL;
END
$$;
