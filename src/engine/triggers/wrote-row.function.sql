-- Returns whether this transaction has written a row that it sees, whose "xmin" is given, also since a savepoint, where rows have a number
-- of their own. What another transaction has not committed is not seen, so a number that goes on is one of this transaction.
CREATE OR REPLACE FUNCTION "wrote_row"(_xmin xid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT _xmin = pg_current_xact_id()::xid
        OR coalesce(pg_xact_status(greatest(pg_current_xact_id()::text::bigint - age(_xmin), 3)::text::xid8) = 'in progress', false)
$$;
