-- Adds movements of a company, up to a settled one (see settled_movement), to its sums by hour: at most `_most`, in the order of
-- their ids. Returns how many it added; 0: all are summed. So it may be broken off, and of two at once one waits.
--
-- The sums go by ids, not by moments: a movement that is written later and dated earlier is added to its hour then. Sums that
-- are not as many as they should be are made anew.
CREATE OR REPLACE FUNCTION "sum_movements"(_company integer, _settled bigint, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _end "balance_hour_ends";
    _last bigint;
    _count integer;
    _now timestamptz;
BEGIN
    LOOP
        SELECT * INTO _end FROM "balance_hour_ends" WHERE "company_id" = _company FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO "balance_hour_ends" ("company_id") VALUES (_company) ON CONFLICT DO NOTHING;
    END LOOP;
    IF _end."movement_count" <> (SELECT coalesce(sum("movement_count"), 0) FROM "balance_hours" WHERE "company_id" = _company) THEN
        DELETE FROM "balance_hours" WHERE "company_id" = _company;
        _end."last_id" := 0;
        _end."movement_count" := 0;
    END IF;
    SELECT max(m."id"), count(*) INTO _last, _count FROM (
        SELECT "id" FROM "balance_movements"
         WHERE "company_id" = _company AND "id" > _end."last_id" AND "id" <= _settled ORDER BY "id" LIMIT _most) AS m;
    INSERT INTO "balance_hours" AS h
           ("company_id", "currency_iso", "hour", "holder_type", "account", "holders", "movement_count", "credit_e2", "amount_e2")
    SELECT _company, m."currency_iso", date_trunc('hour', m."created_at", 'UTC'), m."holder_type",
           CASE WHEN m."holder_key" < 0 THEN -m."holder_key" / 64 ELSE 0 END,
           count(*) FILTER (WHERE m."number" = 1), count(*), sum(greatest(m."amount_e2", 0)), sum(m."amount_e2")
      FROM "balance_movements" AS m
     WHERE m."company_id" = _company AND m."id" > _end."last_id" AND m."id" <= _last
     GROUP BY 2, 3, 4, 5
        ON CONFLICT ("company_id", "currency_iso", "hour", "holder_type", "account") DO UPDATE
       SET "holders" = h."holders" + excluded."holders", "movement_count" = h."movement_count" + excluded."movement_count",
           "credit_e2" = h."credit_e2" + excluded."credit_e2", "amount_e2" = h."amount_e2" + excluded."amount_e2";
    _now := clock_timestamp();
    UPDATE "balance_hour_ends"
       SET "last_id" = coalesce(_last, _end."last_id"), "movement_count" = _end."movement_count" + _count,
           "summed_at" = _now
     WHERE "company_id" = _company;
    RETURN _count;
END
$$;
