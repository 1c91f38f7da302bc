-- Refuses a movement of an unknown kind or caller, one whose parts do not belong together (a reversal names what it takes back,
-- nothing else does; a transfer has both sides; an account of the company always has another side), and
-- a movement without the other one that it names: they are of one currency and moment, name each other, and sum to
-- zero. The sides of a transfer have each other's balances besides. A movement from before all had counterparts names none;
-- the account's side that it got later names it.
CREATE OR REPLACE FUNCTION "check_transfer_sides"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF (
        NEW."type" IN ('adjustment', 'transfer', 'change', 'shopper_fee', 'deliverer_fee', 'gift_card', 'reversal')
        AND (NEW."type" = 'reversal') = (NEW."reverses_id" IS NOT NULL)
        AND (NEW."transfer_id" IS NULL) = (NEW."counterpart_final_e2" IS NULL)
        AND (NEW."counterpart_id" IS NOT NULL OR NEW."transfer_id" IS NULL AND NEW."holder_key" > 0)
        AND NEW."actor_kind" ~ '^[a-z]{1,16}$' AND char_length(NEW."request_id") <= 128
    ) IS FALSE THEN
        RAISE EXCEPTION 'movement % is not whole', NEW."id" USING ERRCODE = 'check_violation';
    END IF;
    IF NEW."counterpart_id" IS NOT NULL AND NOT EXISTS (
        SELECT FROM "balance_movements"
         WHERE "company_id" = NEW."company_id" AND "id" = NEW."counterpart_id"
           AND ("counterpart_id" = NEW."id" OR "counterpart_id" IS NULL AND NEW."holder_key" < 0)
           AND "transfer_id" IS NOT DISTINCT FROM NEW."transfer_id" AND "currency_iso" = NEW."currency_iso"
           AND "amount_e2" = -NEW."amount_e2" AND "created_at" = NEW."created_at"
           AND (NEW."transfer_id" IS NULL OR "final_balance_e2" = NEW."counterpart_final_e2")
    ) THEN
        RAISE EXCEPTION 'movement % and its counterpart do not sum to zero', NEW."id" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
