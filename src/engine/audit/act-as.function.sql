-- Says for the rest of the transaction who acts, as JSON; '' says nobody. It sets "audit.context" by the statement, which a distributed database
-- tells its workers, where the function "set_config" would tell the coordinator alone.
CREATE OR REPLACE FUNCTION "act_as"(_actor text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL audit.context = %L', _actor);
END
$$;
