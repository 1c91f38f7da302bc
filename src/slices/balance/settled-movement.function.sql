-- Returns an id: all movements of a company up to it are committed or given up for good. It waits for transactions that run now, which may
-- have taken such ids, at most `_patience`; nothing when one of them runs longer. A movement gets its id behind a lock of
-- its holder's row, so that its transaction has a number already and is waited for; in a distributed database that is so where the
-- company's row is.
CREATE OR REPLACE FUNCTION "settled_movement"(_company integer, _patience interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _last CONSTANT bigint := (SELECT "last_value" FROM "balance_movements_id_seq");
BEGIN
    RETURN CASE WHEN (SELECT "await_running"(_patience) FROM "companies" WHERE "id" = _company) THEN _last END;
END
$$;
