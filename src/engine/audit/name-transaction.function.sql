-- Gives a row the number of the transaction that writes it: in a distributed database that of the worker, which is also the one in which
-- the triggers of other rows of the company see it.
CREATE OR REPLACE FUNCTION "name_transaction"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW."transaction" := pg_current_xact_id()::text::bigint;
    RETURN NEW;
END
$$;
