-- Refuses a side of a transfer without the other one: they name each other, are of one transfer and currency, and sum to
-- zero. Since each side has exactly one other, every transfer sums to zero.
CREATE OR REPLACE FUNCTION "check_transfer_sides"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM "balance_movements"
         WHERE "company_id" = NEW."company_id" AND "id" = NEW."counterpart_id" AND "counterpart_id" = NEW."id"
           AND "transfer_id" = NEW."transfer_id" AND "currency_iso" = NEW."currency_iso"
           AND "amount_e2" = -NEW."amount_e2" AND "final_balance_e2" = NEW."counterpart_final_e2"
    ) THEN
        RAISE EXCEPTION 'transfer % does not sum to zero', NEW."transfer_id" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
