-- Returns since when the transaction runs: no row that it makes has an earlier moment. A worker of a distributed database begins its part later,
-- when the coordinator has given moments to rows already; "act_as" tells it.
CREATE OR REPLACE FUNCTION "transaction_began"() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT least(now(), nullif(current_setting('audit.began', true), '')::timestamptz)
$$;
