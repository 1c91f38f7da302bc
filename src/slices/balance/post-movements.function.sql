-- Posts movements by "write_movements", with its arguments and outcomes; nothing else that the service may run does. The moment
-- is the database's: `_at` is what the clock of a process says, which the release before this one hands over, and nobody
-- looks at it.
--
-- It writes as its owner: the service needs no right to write movements or balances by itself.
CREATE OR REPLACE FUNCTION "post_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz, _account text DEFAULT NULL, _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT * FROM "write_movements"(_company, _types, _keys, _currencies, _amounts, _kinds, _reverses, _description,
                                    _author, _related_type, _related_id, _identity, NULL, _account, _request, _actor)
$$;
