-- The balances of what the type and key of a holder name that are not 0, by currency. They stay as they are until the
-- transaction ends, so that their holder can be deleted when there are none: its row is locked before.
CREATE OR REPLACE FUNCTION "unsettled_balances"(_company integer, _type text, _key integer)
RETURNS TABLE (currency_iso text, balance_e2 bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    FOR currency_iso, balance_e2 IN
        SELECT h."currency_iso", h."balance_e2" FROM "balance_holders" AS h
         WHERE h."company_id" = _company AND h."type" = _type AND h."key" = _key
         ORDER BY h."currency_iso" COLLATE "C" FOR UPDATE
    LOOP
        IF balance_e2 <> 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;
