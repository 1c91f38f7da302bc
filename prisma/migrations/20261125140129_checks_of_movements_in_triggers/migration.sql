DROP TRIGGER balance_movements_sides ON balance_movements;

ALTER TABLE balance_holders DROP CONSTRAINT balance_holders_currency_iso_check;

ALTER TABLE balance_holders DROP CONSTRAINT balance_holders_key_check;

ALTER TABLE balance_holders DROP CONSTRAINT balance_holders_type_check;

ALTER TABLE balance_movements DROP CONSTRAINT balance_movements_actor_check;

ALTER TABLE balance_movements DROP CONSTRAINT balance_movements_counterpart_check;

ALTER TABLE balance_movements DROP CONSTRAINT balance_movements_reversal_check;

ALTER TABLE balance_movements DROP CONSTRAINT balance_movements_type_check;

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

-- Refuses a movement of an unknown kind or caller, one whose parts do not belong together (a reversal names what it takes back,
-- nothing else does; a transfer has both sides; an account of the company always has another side), and
-- a movement without the other one that it names: they are of one currency and moment, name each other, and sum to
-- zero. The sides of a transfer tell each other's balances besides. A movement from before all had counterparts names none;
-- the account's side that it got later names it.
CREATE OR REPLACE FUNCTION "check_transfer_sides"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

CREATE TRIGGER balance_holders_named BEFORE INSERT OR UPDATE OF type, key, currency_iso ON public.balance_holders FOR EACH ROW EXECUTE FUNCTION check_holder_name();

CREATE CONSTRAINT TRIGGER balance_movements_sides AFTER INSERT ON public.balance_movements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transfer_sides();
