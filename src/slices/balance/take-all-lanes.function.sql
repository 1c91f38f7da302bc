-- Locks all lanes of an account of the company, and returns lane 0; nothing when an amount would take their sum out of 53
-- bits. See "take_account_lane", which has locked the account.
CREATE OR REPLACE FUNCTION "take_all_lanes"(_company integer, _account integer, _currency text, _amount bigint)
RETURNS "balance_holders" LANGUAGE plpgsql AS $$
DECLARE
    _most CONSTANT bigint := 9007199254740991;
    _lane "balance_holders";
    _sum numeric;
BEGIN
    PERFORM FROM "balance_holders"
     WHERE "company_id" = _company AND "type" = 'account' AND "currency_iso" = _currency
       AND "key" BETWEEN -64 * _account - 63 AND -64 * _account
     ORDER BY "key" DESC FOR NO KEY UPDATE;
    SELECT sum("balance_e2") INTO _sum FROM "balance_holders"
     WHERE "company_id" = _company AND "type" = 'account' AND "currency_iso" = _currency
       AND "key" BETWEEN -64 * _account - 63 AND -64 * _account;
    SELECT * INTO _lane FROM "balance_holders"
     WHERE "company_id" = _company AND "type" = 'account' AND "currency_iso" = _currency AND "key" = -64 * _account;
    IF abs(_sum + _amount) > _most OR abs(_lane."balance_e2"::numeric + _amount) > _most THEN
        RETURN NULL;
    END IF;
    RETURN _lane;
END
$$;
