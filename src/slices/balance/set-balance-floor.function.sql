-- Sets the floor of a holder, or removes it with null, and returns the holder, which may be one without movements. It
-- refuses, by an error, a holder that is no row of the company. It writes as its owner, as "post_movements" does.
CREATE OR REPLACE FUNCTION "set_balance_floor"(
    _company integer, _type text, _key integer, _currency text, _floor bigint
) RETURNS "balance_holders"
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _holder "balance_holders";
BEGIN
    IF "holder_exists"(_company, _type, _key) IS NOT TRUE THEN
        RAISE EXCEPTION 'there is no % % in company %', _type, _key, _company USING ERRCODE = 'foreign_key_violation';
    END IF;
    INSERT INTO "balance_holders" AS h ("company_id", "type", "key", "currency_iso", "floor_e2")
    VALUES (_company, _type, _key, _currency, _floor)
    ON CONFLICT ("company_id", "type", "key", "currency_iso") DO UPDATE SET "floor_e2" = EXCLUDED."floor_e2"
    RETURNING h.* INTO _holder;
    RETURN _holder;
END
$$;
