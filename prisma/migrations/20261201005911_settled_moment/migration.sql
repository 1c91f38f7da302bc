-- Returns a moment before which no movement can be committed any more: `_at`, or now where that is NULL or yet to come. NULL when a
-- posting that may be earlier goes on for longer than `_patience`.
--
-- Whoever posts locks a row of "balance_holders" before the moment of the posting is taken ("write_movements"), and with the row
-- the table, until the transaction ends: it waits for those who hold the table now, and holds nothing meanwhile. In a distributed
-- database they are found where the company's row is, by the names of its parts. A replica does not know who posts: the
-- primary has to be asked.
CREATE OR REPLACE FUNCTION "settled_moment"(_at timestamptz, _patience interval) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
    _give_up CONSTANT timestamptz := clock_timestamp() + _patience;
    -- What is posted in this millisecond has its begin as its moment.
    _moment CONSTANT timestamptz := least(_at, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond');
    _posting text[];
BEGIN
    IF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'a replica does not know who posts' USING ERRCODE = 'read_only_sql_transaction';
    END IF;
    WHILE clock_timestamp() < _moment LOOP
        PERFORM pg_sleep(0.0005);
    END LOOP;
    LOOP
        SELECT array_agg(l."virtualtransaction") INTO _posting FROM pg_locks AS l JOIN pg_class AS c ON c."oid" = l."relation"
         WHERE l."locktype" = 'relation' AND l."mode" IN ('RowShareLock', 'RowExclusiveLock') AND l."granted"
           AND l."database" = (SELECT d."oid" FROM pg_database AS d WHERE d."datname" = current_database())
           AND c."relname" ~ '^balance_holders(_[0-9]+)?$' AND l."pid" IS DISTINCT FROM pg_backend_pid()
           AND (_posting IS NULL OR l."virtualtransaction" = ANY (_posting));
        IF _posting IS NULL THEN
            RETURN _moment;
        ELSIF clock_timestamp() > _give_up THEN
            RETURN NULL;
        END IF;
        PERFORM pg_sleep(0.002);
    END LOOP;
END
$$;
