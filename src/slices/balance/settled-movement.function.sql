-- Returns an id: all movements up to it are committed or given up for good. It waits for transactions that run now, which may
-- have taken such ids, at most `_patience`; nothing when one of them runs longer. A movement gets its id behind a lock of
-- its holder's row, so that its transaction has a number already and is waited for.
CREATE OR REPLACE FUNCTION "settled_movement"(_patience interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _last CONSTANT bigint := (SELECT "last_value" FROM "balance_movements_id_seq");
BEGIN
    RETURN CASE WHEN "await_running"(_patience) THEN _last END;
END
$$;
