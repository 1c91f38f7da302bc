-- Refuses a holder of an unknown type, a key that its type has not, and a currency of another length.
CREATE OR REPLACE FUNCTION "check_holder_name"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."type" NOT IN ('account', 'client', 'provider', 'branch', 'company', 'city')
        OR NOT (NEW."key" >= 1 OR NEW."type" = 'account' AND NEW."key" < 0)
        OR char_length(NEW."currency_iso") NOT BETWEEN 3 AND 8
    THEN
        RAISE EXCEPTION 'there is no holder % % in %', NEW."type", NEW."key", NEW."currency_iso" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
