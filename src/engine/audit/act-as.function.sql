-- Says for the rest of the transaction who acts, as JSON; '' says nobody. It sets "audit.context" by the statement, which a distributed database
-- tells its workers, where the function "set_config" would tell the coordinator alone; there it tells them since when, too, for
-- "transaction_began".
CREATE OR REPLACE FUNCTION "act_as"(_actor text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL audit.context = %L', _actor);
    IF "is_distributed"() THEN
        EXECUTE format('SET LOCAL audit.began = %L', now());
    END IF;
END
$$;
