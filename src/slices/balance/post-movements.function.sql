-- Posts movements by "write_movements", with its arguments and outcomes; nothing else that the service may run does. It
-- refuses, by an error, a moment that is more than 15 minutes off the database's clock, and a posting to a holder that is
-- no row of the company; a deleted row may still have a balance to settle.
--
-- It writes as its owner: the service needs no right to write movements or balances by itself.
CREATE OR REPLACE FUNCTION "post_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _row record;
BEGIN
    -- A request waits 10 minutes at most; the rest is for clocks of processes that are wrong.
    IF _at IS NULL OR abs(extract(epoch FROM _at - clock_timestamp())) > 900 THEN
        RAISE EXCEPTION 'the moment % is off the clock of the database', _at USING ERRCODE = 'datetime_field_overflow';
    END IF;
    FOR _row IN
        SELECT * FROM "write_movements"(_company, _types, _keys, _currencies, _amounts, _kinds, _reverses, _description,
                                        _author, _related_type, _related_id, _identity, _at)
    LOOP
        outcome := _row."outcome";
        refused_balance_e2 := _row."refused_balance_e2";
        movement := _row."movement";
        IF outcome = 'posted' AND NOT "holder_exists"(_company, movement."holder_type", movement."holder_key") THEN
            RAISE EXCEPTION 'there is no % % in company %', movement."holder_type", movement."holder_key", _company
                USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;
