-- Waits until all transactions of this database that run now and have a number have ended, at most `_patience`. Returns
-- whether they have.
--
-- They are found by their locks: a snapshot lists none that began after the last one that has ended. The locks are those of
-- the whole server, so who holds one says in which database; a prepared transaction has no holder and counts everywhere.
CREATE OR REPLACE FUNCTION "await_running"(_patience interval) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    _give_up CONSTANT timestamptz := clock_timestamp() + _patience;
    _here CONSTANT oid := (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
    _running xid[];
BEGIN
    LOOP
        SELECT coalesce(array_agg(l."transactionid"), '{}') INTO _running FROM pg_locks AS l
         WHERE l."locktype" = 'transactionid' AND l."mode" = 'ExclusiveLock' AND l."granted"
           AND l."pid" IS DISTINCT FROM pg_backend_pid() AND (_running IS NULL OR l."transactionid" = ANY (_running))
           AND NOT EXISTS (SELECT FROM pg_stat_get_activity(coalesce(l."pid", 0)) AS a WHERE a."datid" <> _here);
        IF cardinality(_running) = 0 THEN
            RETURN true;
        ELSIF clock_timestamp() > _give_up THEN
            RETURN false;
        END IF;
        PERFORM pg_sleep(0.01);
    END LOOP;
END
$$;
