-- Waits until all transactions that run now and have a number have ended, at most `_patience`. Returns whether they have.
--
-- They are found by their locks: a snapshot lists none that began after the last one that has ended.
CREATE OR REPLACE FUNCTION "await_running"(_patience interval) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    _give_up CONSTANT timestamptz := clock_timestamp() + _patience;
    _running xid[];
BEGIN
    LOOP
        SELECT coalesce(array_agg(l."transactionid"), '{}') INTO _running FROM pg_locks AS l
         WHERE l."locktype" = 'transactionid' AND l."mode" = 'ExclusiveLock' AND l."granted"
           AND l."pid" IS DISTINCT FROM pg_backend_pid() AND (_running IS NULL OR l."transactionid" = ANY (_running));
        IF cardinality(_running) = 0 THEN
            RETURN true;
        ELSIF clock_timestamp() > _give_up THEN
            RETURN false;
        END IF;
        PERFORM pg_sleep(0.01);
    END LOOP;
END
$$;

-- Closes the books of a company up to a moment. A movement takes its moment when its transaction has a number already, so
-- once those that run now have ended, nothing before this moment can still be committed: it waits for them, at most
-- `_patience`, and holds nothing meanwhile.
--
-- Outcomes: `closed`; `not_past`, `not_later` than the last period, `busy` when something ran longer.
CREATE OR REPLACE FUNCTION "close_balance_period"(_company integer, _until timestamptz, _admin integer, _patience interval)
RETURNS TABLE (outcome text, id integer, until timestamptz, admin_id integer, created_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    outcome := CASE
        WHEN _until > clock_timestamp() THEN 'not_past'
        WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
    END;
    IF outcome IS NULL AND NOT "await_running"(_patience) THEN
        outcome := 'busy';
    END IF;
    -- Another closing that got the number meanwhile may be a later one.
    WHILE outcome IS NULL LOOP
        INSERT INTO "balance_periods" AS p ("company_id", "id", "until", "admin_id", "created_at")
        SELECT _company, coalesce(max(o."id"), 0) + 1, _until, _admin, clock_timestamp() FROM "balance_periods" AS o
         WHERE o."company_id" = _company
        HAVING coalesce(max(o."until") < _until, true)
        ON CONFLICT DO NOTHING
        RETURNING p."id", p."until", p."admin_id", p."created_at" INTO id, until, admin_id, created_at;
        outcome := CASE
            WHEN FOUND THEN 'closed'
            WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
        END;
    END LOOP;
    RETURN NEXT;
END
$$;
