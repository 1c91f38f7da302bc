DROP TRIGGER balance_movements_sides ON balance_movements;

DROP TRIGGER coupon_redemptions_returned_once ON coupon_redemptions;

ALTER TABLE balance_holders DROP CONSTRAINT balance_holders_key_check;

ALTER TABLE balance_movements DROP CONSTRAINT balance_movements_side_check;

DROP ROUTINE give_change(integer,integer,bigint,text,text,text,text,integer,bytea,timestamp with time zone);

DROP ROUTINE post_movements(integer,text[],integer[],text[],bigint[],text[],bigint[],text,integer,text,bigint,bytea,timestamp with time zone);

DROP ROUTINE redeem_gift_card(integer,integer,bigint,text,integer,text,integer,text,integer,timestamp with time zone,timestamp with time zone);

DROP ROUTINE reverse_movement(integer,bigint,text,integer,bytea,timestamp with time zone);

DROP ROUTINE write_movements(integer,text[],integer[],text[],bigint[],text[],bigint[],text,integer,text,bigint,bytea,timestamp with time zone);

-- AlterTable
ALTER TABLE "balance_holders" ADD COLUMN     "credit_e2" DECIMAL(38,0);

-- Holders that are there already are summed later, by complete_movements; new ones begin with 0.
ALTER TABLE "balance_holders" ALTER COLUMN "credit_e2" SET DEFAULT 0;

-- AlterTable
ALTER TABLE "balance_movements" ADD COLUMN     "actor_kind" TEXT,
ADD COLUMN     "request_id" TEXT;

-- AlterTable
ALTER TABLE "coupon_redemptions" ADD COLUMN     "movement_id" BIGINT;

-- AlterTable
ALTER TABLE "invoice_documents" ADD COLUMN     "amount_e2" BIGINT,
ADD COLUMN     "owns_numbers" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "balance_accounts" (
    "company_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "balance_accounts_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "balance_periods" (
    "company_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "admin_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "balance_periods_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "balance_accounts_company_id_name_key" ON "balance_accounts"("company_id", "name");

-- CreateIndex
CREATE INDEX "balance_periods_company_id_admin_id_idx" ON "balance_periods"("company_id", "admin_id");

-- CreateIndex
CREATE UNIQUE INDEX "balance_periods_company_id_until_key" ON "balance_periods"("company_id", "until");

-- AddForeignKey
ALTER TABLE "balance_accounts" ADD CONSTRAINT "balance_accounts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_periods" ADD CONSTRAINT "balance_periods_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_periods" ADD CONSTRAINT "balance_periods_company_id_admin_id_fkey" FOREIGN KEY ("company_id", "admin_id") REFERENCES "admins"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Refuses a movement without the other one that it names: they are of one currency and moment, name each other, and sum to
-- zero. The sides of a transfer tell each other's balances besides. A movement from before all had counterparts names none;
-- the account's side that it got later names it.
CREATE OR REPLACE FUNCTION "check_transfer_sides"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
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

-- Closes the books of a company up to a moment. A movement takes its moment when its transaction has a number already, so
-- once those that run now have ended, nothing before this moment can still be committed: it waits for them, at most
-- `_patience`, and holds nothing meanwhile.
--
-- Outcomes: `closed`; `not_past`, `not_later` than the last period, `busy` when something ran longer.
CREATE OR REPLACE FUNCTION "close_balance_period"(_company integer, _until timestamptz, _admin integer, _patience interval)
RETURNS TABLE (outcome text, id integer, until timestamptz, admin_id integer, created_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _running xid8[];
    _give_up CONSTANT timestamptz := clock_timestamp() + _patience;
BEGIN
    outcome := CASE
        WHEN _until > clock_timestamp() THEN 'not_past'
        WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
    END;
    IF outcome IS NULL THEN
        _running := ARRAY(SELECT pg_snapshot_xip(pg_current_snapshot()));
        WHILE EXISTS (SELECT FROM unnest(_running) AS r("id") WHERE pg_xact_status(r."id") = 'in progress') LOOP
            IF clock_timestamp() > _give_up THEN
                outcome := 'busy';
                EXIT;
            END IF;
            PERFORM pg_sleep(0.01);
        END LOOP;
    END IF;
    -- Another closing that got the number meanwhile may be a later one.
    WHILE outcome IS NULL LOOP
        INSERT INTO "balance_periods" AS p ("company_id", "id", "until", "admin_id", "created_at")
        SELECT _company, coalesce(max(o."id"), 0) + 1, _until, _admin, clock_timestamp() FROM "balance_periods" AS o
         WHERE o."company_id" = _company
        HAVING coalesce(max(o."until") < _until, true)
        ON CONFLICT DO NOTHING
        RETURNING p."id", p."until", p."admin_id", p."created_at" INTO id, until, admin_id, created_at;
        outcome := CASE
            WHEN FOUND THEN 'closed'
            WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
        END;
    END LOOP;
    RETURN NEXT;
END
$$;

-- Gives movements of a company from before all had counterparts the account's side that they lack, without touching them,
-- at most `_most`, and holders from before their credits were kept the sum of these. Returns how many it did; 0: all is done.
--
-- The new sides have the moments of those that they complete, in an order of their own: lane 63 of each account is written
-- here alone. So it may be broken off, and run while others post; of two at once the unique index of completions ends one.
CREATE OR REPLACE FUNCTION "complete_movements"(_company integer, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _one "balance_movements";
    _side "balance_movements";
    _lane "balance_holders";
    _name text;
    _account integer;
    _reverses bigint;
    _done integer := 0;
BEGIN
    IF NOT EXISTS (SELECT FROM "balance_movements" WHERE "company_id" = _company AND "counterpart_id" IS NULL)
        AND NOT EXISTS (SELECT FROM "balance_holders" WHERE "company_id" = _company AND "credit_e2" IS NULL)
    THEN
        RETURN 0;
    END IF;
    FOR _one IN
        SELECT m.* FROM "balance_movements" AS m
         WHERE m."company_id" = _company AND m."counterpart_id" IS NULL
           AND m."created_at" >= coalesce((
               SELECT max("last_at") FROM "balance_holders"
                WHERE "company_id" = _company AND "type" = 'account' AND "key" < 0 AND -"key" % 64 = 63), '-infinity')
           AND NOT EXISTS (
               SELECT FROM "balance_movements" AS c
                WHERE c."company_id" = _company AND c."counterpart_id" = m."id" AND c."actor_kind" = 'completion')
         ORDER BY m."created_at", m."id" LIMIT _most
    LOOP
        _reverses := NULL;
        _name := CASE _one."type" WHEN 'gift_card' THEN 'gift_cards' ELSE 'adjustments' END;
        IF _one."reverses_id" IS NOT NULL THEN
            SELECT c."id", CASE c."type" WHEN 'gift_card' THEN 'gift_cards' ELSE 'adjustments' END INTO STRICT _reverses, _name
              FROM "balance_movements" AS c
             WHERE c."company_id" = _company AND c."counterpart_id" = _one."reverses_id" AND c."actor_kind" = 'completion';
        END IF;
        LOOP
            SELECT "id" INTO _account FROM "balance_accounts" WHERE "company_id" = _company AND "name" = _name;
            EXIT WHEN FOUND;
            INSERT INTO "balance_accounts" ("company_id", "id", "name")
            SELECT _company, coalesce(max("id"), 0) + 1, _name FROM "balance_accounts" WHERE "company_id" = _company
            ON CONFLICT DO NOTHING;
        END LOOP;
        INSERT INTO "balance_holders" ("company_id", "type", "key", "currency_iso")
        VALUES (_company, 'account', -64 * _account - 63, _one."currency_iso") ON CONFLICT DO NOTHING;
        SELECT * INTO STRICT _lane FROM "balance_holders"
         WHERE "company_id" = _company AND "type" = 'account' AND "key" = -64 * _account - 63
           AND "currency_iso" = _one."currency_iso";
        _side := _one;
        _side."id" := nextval('balance_movements_id_seq');
        _side."holder_type" := 'account';
        _side."holder_key" := _lane."key";
        _side."number" := _lane."movement_count" + 1;
        _side."initial_balance_e2" := _lane."balance_e2";
        _side."amount_e2" := -_one."amount_e2";
        _side."final_balance_e2" := _lane."balance_e2" - _one."amount_e2";
        _side."counterpart_id" := _one."id";
        _side."reverses_id" := _reverses;
        _side."identity" := NULL;
        _side."actor_kind" := 'completion';
        _side."hash" := "movement_hash"(_lane."last_hash", _side);
        INSERT INTO "balance_movements" SELECT _side.*;
        UPDATE "balance_holders"
           SET "balance_e2" = _side."final_balance_e2", "movement_count" = _side."number", "owes" = _side."final_balance_e2" < 0,
               "credit_e2" = "credit_e2" + greatest(_side."amount_e2", 0), "last_hash" = _side."hash", "last_at" = _side."created_at"
         WHERE "company_id" = _company AND "type" = 'account' AND "key" = _lane."key" AND "currency_iso" = _lane."currency_iso";
        _done := _done + 1;
    END LOOP;
    FOR _lane IN
        SELECT * FROM "balance_holders" WHERE "company_id" = _company AND "credit_e2" IS NULL
         ORDER BY "type" COLLATE "C", "key", "currency_iso" COLLATE "C" LIMIT _most - _done FOR NO KEY UPDATE
    LOOP
        UPDATE "balance_holders"
           SET "credit_e2" = (
               SELECT coalesce(sum(m."amount_e2") FILTER (WHERE m."amount_e2" > 0), 0) FROM "balance_movements" AS m
                WHERE m."company_id" = _company AND m."holder_type" = _lane."type" AND m."holder_key" = _lane."key"
                  AND m."currency_iso" = _lane."currency_iso")
         WHERE "company_id" = _company AND "type" = _lane."type" AND "key" = _lane."key" AND "currency_iso" = _lane."currency_iso";
        _done := _done + 1;
    END LOOP;
    RETURN _done;
END
$$;

-- Gives the client of an order change: the provider who is named pays it (as `shopper` or `deliverer`), else the company.
-- On request it takes back the fee of one of the two, which goes from the provider to the company, in the order's currency,
-- once for each order and role unless that was reversed. An order that is not paid yet gives no more change in all than its
-- total. All of it is decided under the lock of the order.
--
-- Outcomes are those of "post_movements", and: `no_order`, `canceled`, `no_client`, `no_payer`, `no_fee`, `fee_taken`, `too_much`.
CREATE OR REPLACE FUNCTION "give_change"(
    _company integer, _order integer, _amount bigint, _currency text, _payer text, _fee_of text,
    _description text, _author integer, _identity bytea, _at timestamptz,
    _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _row "orders";
    _payer_id integer;
    _fee_provider integer;
    _fee bigint;
    -- Whether the same request may have posted before: then what it changed must not refuse it.
    _is_repeat boolean := _identity IS NOT NULL AND EXISTS (
        SELECT FROM "balance_movements" WHERE "company_id" = _company AND "identity" = sha256(_identity || int4send(1)));
BEGIN
    SELECT * INTO _row FROM "orders" WHERE "company_id" = _company AND "id" = _order FOR NO KEY UPDATE;
    _payer_id := CASE _payer WHEN 'shopper' THEN _row."shopper_id" WHEN 'deliverer' THEN _row."deliverer_id" END;
    _fee_provider := CASE _fee_of WHEN 'shopper' THEN _row."shopper_id" WHEN 'deliverer' THEN _row."deliverer_id" END;
    _fee := CASE _fee_of WHEN 'shopper' THEN _row."shopper_fee_e2" WHEN 'deliverer' THEN _row."deliverer_fee_e2" END;
    outcome := CASE
        WHEN _row."id" IS NULL THEN 'no_order'
        WHEN _payer IS NOT NULL AND _payer_id IS NULL THEN 'no_payer'
        WHEN _fee_of IS NOT NULL AND (_fee_provider IS NULL OR _fee = 0) THEN 'no_fee'
        WHEN _row."client_id" IS NULL THEN 'no_client'
        WHEN _is_repeat THEN NULL
        WHEN _row."status" = 'canceled' THEN 'canceled'
        WHEN _row."status" = 'created' AND _row."total_e2" > 0 AND _currency = _row."currency_iso" AND _row."total_e2" < _amount + coalesce((
            SELECT sum(m."amount_e2") FROM "balance_movements" AS m
             WHERE m."company_id" = _company AND m."related_type" = 'order' AND m."related_id" = _order
               AND m."type" = 'change' AND m."holder_type" = 'client' AND m."amount_e2" > 0 AND NOT EXISTS (
                   SELECT FROM "balance_movements" AS r WHERE r."company_id" = _company AND r."reverses_id" = m."id")), 0)
            THEN 'too_much'
        WHEN _fee_of IS NOT NULL AND EXISTS (
            SELECT FROM "balance_movements" AS m
             WHERE m."company_id" = _company AND m."related_type" = 'order' AND m."related_id" = _order
               AND m."type" = _fee_of || '_fee' AND NOT EXISTS (
                   SELECT FROM "balance_movements" AS r WHERE r."company_id" = _company AND r."reverses_id" = m."id"))
            THEN 'fee_taken'
    END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    RETURN QUERY SELECT * FROM "post_movements"(
        _company,
        ARRAY['client', CASE WHEN _payer IS NULL THEN 'company' ELSE 'provider' END]
            || CASE WHEN _fee_of IS NULL THEN '{}' ELSE '{provider,company}' END::text[],
        ARRAY[_row."client_id", coalesce(_payer_id, _company)]
            || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_fee_provider, _company] END,
        ARRAY[_currency, _currency] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_row."currency_iso", _row."currency_iso"] END,
        ARRAY[_amount, -_amount] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[-_fee, _fee] END,
        ARRAY['change', 'change'] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_fee_of || '_fee', _fee_of || '_fee'] END,
        array_fill(NULL::bigint, ARRAY[CASE WHEN _fee_of IS NULL THEN 2 ELSE 4 END]),
        _description, _author, 'order', _order, _identity, _at, NULL, _request, _actor);
END
$$;

-- Says whether what the type and key of a holder name is `there` or `deleted`; nothing when the company has no such row. With
-- `_is_new` the row is kept from being deleted until the transaction ends: its deletion would not see a holder that is made
-- meanwhile.
CREATE OR REPLACE FUNCTION "holder_state"(_company integer, _type text, _key integer, _is_new boolean) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    _deleted boolean;
BEGIN
    CASE _type
        WHEN 'company' THEN
            RETURN CASE WHEN _key = _company THEN 'there' END;
        WHEN 'client' THEN
            IF _is_new THEN PERFORM FROM "clients" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT "deleted_at" IS NOT NULL INTO _deleted FROM "clients" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'provider' THEN
            IF _is_new THEN PERFORM FROM "providers" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "providers" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'account' THEN
            IF _is_new THEN PERFORM FROM "admins" WHERE "company_id" = _company AND "account_id" = _key FOR SHARE; END IF;
            SELECT bool_and("deleted_at" IS NOT NULL) INTO _deleted FROM "admins"
             WHERE "company_id" = _company AND "account_id" = _key;
        WHEN 'branch' THEN
            IF _is_new THEN PERFORM FROM "branches" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "branches" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'city' THEN
            IF _is_new THEN PERFORM FROM "cities" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "cities" WHERE "company_id" = _company AND "id" = _key;
        ELSE
            RETURN NULL;
    END CASE;
    RETURN CASE WHEN _deleted THEN 'deleted' WHEN NOT _deleted THEN 'there' END;
END
$$;

-- Returns the hash of a movement: SHA-256 of the hash before it (of a holder's first movement, of nothing) and of its
-- fields, one in each line, in UTF-8. An absent value is an empty line, a moment its milliseconds since 1970, bytes are
-- hexadecimal. The description is the last: no other field can hold a line break, so no two movements have the same text.
-- The text of a movement that knows what kind of caller caused it begins with the line `v2` and has its request and that kind
-- before the description; movements from before those were kept have neither.
CREATE OR REPLACE FUNCTION "movement_hash"(_previous bytea, _movement "balance_movements") RETURNS bytea
LANGUAGE sql STABLE AS $$
    SELECT sha256(coalesce(_previous, '') || convert_to(concat(
        CASE WHEN _movement."actor_kind" IS NOT NULL THEN E'v2\n' END,
        _movement."company_id", E'\n', _movement."id", E'\n',
        _movement."holder_type", E'\n', _movement."holder_key", E'\n', _movement."currency_iso", E'\n',
        _movement."number", E'\n', _movement."initial_balance_e2", E'\n', _movement."amount_e2", E'\n',
        _movement."final_balance_e2", E'\n', _movement."type", E'\n', _movement."is_deferred"::integer, E'\n',
        _movement."author_id", E'\n', _movement."related_type", E'\n', _movement."related_id", E'\n',
        _movement."transfer_id", E'\n', _movement."counterpart_id", E'\n', _movement."counterpart_final_e2", E'\n',
        _movement."reverses_id", E'\n', encode(_movement."identity", 'hex'), E'\n',
        (extract(epoch FROM _movement."created_at") * 1000)::bigint, E'\n',
        CASE WHEN _movement."actor_kind" IS NOT NULL
             THEN concat(_movement."request_id", E'\n', _movement."actor_kind", E'\n') END,
        _movement."description"), 'UTF8'))
$$;

-- Posts movements by "write_movements", with its arguments and outcomes; nothing else that the service may run does. The moment
-- is the database's: `_at` is what the clock of a process says, which the release before this one hands over, and nobody
-- looks at it.
--
-- It writes as its owner: the service needs no right to write movements or balances by itself.
CREATE OR REPLACE FUNCTION "post_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz, _account text DEFAULT NULL, _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY
        SELECT * FROM "write_movements"(_company, _types, _keys, _currencies, _amounts, _kinds, _reverses, _description,
                                        _author, _related_type, _related_id, _identity, NULL, _account, _request, _actor);
END
$$;

-- Turns a gift card's code into balance, once. Returns the outcome `redeemed` with the holder's balance after it,
-- `changed`, `full` when the balance cannot hold it, `reused` when the identity of the request came with another posting, or
-- the reason why the card does not apply. The use names the movement, which is about the card.
CREATE OR REPLACE FUNCTION "redeem_gift_card"(
    _company integer, _coupon integer, _code_id bigint, _code text, _client integer,
    _holder_type text, _holder_key integer, _currency text, _author integer, _at timestamptz, _seen timestamptz,
    _identity bytea DEFAULT NULL, _request text DEFAULT NULL, _actor text DEFAULT NULL,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT balance_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    uses_per_client bigint;
    posted text;
    posted_id bigint;
BEGIN
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen THEN outcome := 'changed'; RETURN; END IF;
    IF NOT "coupon_runs"(coupon, _at) THEN outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;
    IF coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN outcome := 'COUPON_EXHAUSTED'; RETURN; END IF;
    IF NOT EXISTS (
        SELECT FROM "coupon_codes"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL AND "voided_at" IS NULL
    ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
    uses_per_client := (coupon."config" ->> 'limit')::bigint;
    IF uses_per_client IS NOT NULL AND _client IS NOT NULL AND uses_per_client <= (
        SELECT count(*) FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client AND "returned_at" IS NULL
    ) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    given_e2 := coupon."price_e2";
    IF given_e2 > 9223372036854775807 - coupon."spent_amount_e2" THEN outcome := 'full'; RETURN; END IF;

    SELECT p."outcome", (p."movement")."final_balance_e2", (p."movement")."id"
      INTO posted, redeem_gift_card.balance_e2, posted_id
      FROM "post_movements"(_company, ARRAY[_holder_type], ARRAY[_holder_key], ARRAY[_currency], ARRAY[given_e2],
                            ARRAY['gift_card'], ARRAY[NULL::bigint], coupon."name", _author, 'coupon', _coupon,
                            _identity, _at, 'gift_cards', _request, _actor) AS p LIMIT 1;
    IF posted <> 'posted' THEN outcome := posted; RETURN; END IF;
    UPDATE "coupon_codes" SET "used_at" = _at WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id;
    UPDATE "coupons" SET "spent_count" = "spent_count" + 1, "spent_amount_e2" = "spent_amount_e2" + given_e2
     WHERE "company_id" = _company AND "id" = _coupon;
    INSERT INTO "coupon_redemptions" ("company_id", "coupon_id", "code", "client_id", "amount_e2", "movement_id", "created_at")
    VALUES (_company, _coupon, _code, _client, given_e2, posted_id, _at)
    RETURNING "id" INTO use_id;
    outcome := 'redeemed';
END
$$;

-- Posts a movement that takes another one back, and points to it, and the same for its counterpart. A movement is reversed
-- once. Of a gift card the use is given back, too: its code can be redeemed again.
--
-- Outcomes are those of "post_movements", and: `no_movement`, `is_reversal` (which is not taken back itself), `incomplete`
-- (it is from before movements had counterparts, and has not got its own yet).
CREATE OR REPLACE FUNCTION "reverse_movement"(
    _company integer, _id bigint, _description text, _author integer, _identity bytea, _at timestamptz,
    _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _one "balance_movements";
    _other "balance_movements";
    _account text;
    _use "coupon_redemptions";
    _is_account boolean;
    _row record;
BEGIN
    SELECT * INTO _one FROM "balance_movements" WHERE "company_id" = _company AND "id" = _id;
    outcome := CASE WHEN NOT FOUND THEN 'no_movement' WHEN _one."type" = 'reversal' THEN 'is_reversal' END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT * INTO _other FROM "balance_movements"
     WHERE "company_id" = _company
       AND "id" = coalesce(_one."counterpart_id", (
           SELECT "id" FROM "balance_movements"
            WHERE "company_id" = _company AND "counterpart_id" = _id AND "actor_kind" = 'completion'));
    IF NOT FOUND THEN
        outcome := 'incomplete';
        RETURN NEXT;
        RETURN;
    END IF;
    IF _one."transfer_id" IS NOT NULL THEN
        RETURN QUERY SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type", _other."holder_type"], ARRAY[_one."holder_key", _other."holder_key"],
            ARRAY[_one."currency_iso", _other."currency_iso"], ARRAY[-_one."amount_e2", -_other."amount_e2"],
            ARRAY['reversal', 'reversal'], ARRAY[_one."id", _other."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at, NULL, _request, _actor);
        RETURN;
    END IF;

    _is_account := _one."holder_key" < 0;
    IF _is_account THEN
        _row := _one;
        _one := _other;
        _other := _row;
    END IF;
    SELECT "name" INTO STRICT _account FROM "balance_accounts"
     WHERE "company_id" = _company AND "id" = -_other."holder_key" / 64;
    IF _one."type" = 'gift_card' THEN
        -- The coupon is locked before holders are.
        PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _one."related_id" FOR NO KEY UPDATE;
    END IF;
    FOR _row IN
        SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type"], ARRAY[_one."holder_key"], ARRAY[_one."currency_iso"],
            ARRAY[-_one."amount_e2"], ARRAY['reversal'], ARRAY[_one."id", _other."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at, _account, _request, _actor) AS p
         ORDER BY ((p."movement")."holder_key" < 0) = _is_account DESC
    LOOP
        outcome := _row."outcome";
        refused_balance_e2 := _row."refused_balance_e2";
        movement := _row."movement";
        IF outcome = 'posted' AND _one."type" = 'gift_card' AND movement."holder_key" > 0 THEN
            UPDATE "coupon_redemptions" SET "returned_at" = greatest(movement."created_at", "created_at")
             WHERE "company_id" = _company AND "coupon_id" = _one."related_id" AND "movement_id" = _one."id"
               AND "returned_at" IS NULL
            RETURNING * INTO _use;
            IF FOUND THEN
                UPDATE "coupons" SET "spent_count" = "spent_count" - 1, "spent_amount_e2" = "spent_amount_e2" - _use."amount_e2"
                 WHERE "company_id" = _company AND "id" = _use."coupon_id";
                UPDATE "coupon_codes" SET "used_at" = NULL
                 WHERE "company_id" = _company AND "coupon_id" = _use."coupon_id" AND "code" = _use."code"
                   AND "used_at" IS NOT NULL;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Locks a lane of an account of the company, and returns it; nothing when the account would leave 53 bits.
--
-- An account is the other side of many holders' movements. So that postings do not wait for one another it is kept in lanes,
-- each a row of "balance_holders" with a chain of its own: of the account number `a`, lane `l` has the key -(64a + l). A
-- posting takes the first lane that nobody holds; one posting after the other stays in lane 0. Lanes 0 to 47 are for postings,
-- 63 is for the counterparts of movements that had none ("complete_movements"). The account's balance is the sum of its lanes.
--
-- Lanes are locked behind all other holders, and whoever waits for one holds none: a new lane, and all lanes at once, are
-- taken under the lock of the account. The sum of all stays within 53 bits, since large amounts and large lanes are
-- decided under the locks of all lanes ("take_all_lanes"): 48 small ones and half of the range for lane 0 are no more than the range.
CREATE OR REPLACE FUNCTION "take_account_lane"(
    _company integer, _name text, _currency text, _amount bigint, _when timestamptz
) RETURNS "balance_holders" LANGUAGE plpgsql AS $$
DECLARE
    _most_lanes CONSTANT integer := 48;
    _most_of_lane CONSTANT bigint := 35184372088832;
    _most_of_first CONSTANT bigint := 4503599627370496;
    -- No lane that is ahead of the clock by more than this: its moments would become those of other holders.
    _latest CONSTANT timestamptz := greatest(clock_timestamp(), _when) + interval '1 second';
    _account integer;
    _lane "balance_holders";
    _lanes integer;
    _sum numeric;
BEGIN
    LOOP
        SELECT "id" INTO _account FROM "balance_accounts" WHERE "company_id" = _company AND "name" = _name;
        EXIT WHEN FOUND;
        INSERT INTO "balance_accounts" ("company_id", "id", "name")
        SELECT _company, coalesce(max("id"), 0) + 1, _name FROM "balance_accounts" WHERE "company_id" = _company
        ON CONFLICT DO NOTHING;
    END LOOP;
    FOR _attempt IN 1..2 LOOP
        IF abs(_amount) <= _most_of_lane / 2 THEN
            SELECT * INTO _lane FROM "balance_holders" AS h
             WHERE h."company_id" = _company AND h."type" = 'account' AND h."currency_iso" = _currency
               AND h."key" BETWEEN -64 * _account - _most_lanes + 1 AND -64 * _account
               AND (h."last_at" IS NULL OR h."last_at" <= _latest)
               AND abs(h."balance_e2" + _amount) <= CASE WHEN h."key" = -64 * _account THEN _most_of_first ELSE _most_of_lane END
             ORDER BY h."key" DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
            IF FOUND THEN
                IF _lane."key" = -64 * _account OR EXISTS (
                    SELECT FROM "balance_holders" AS f
                     WHERE f."company_id" = _company AND f."type" = 'account' AND f."currency_iso" = _currency
                       AND f."key" = -64 * _account AND abs(f."balance_e2") <= _most_of_first
                ) THEN
                    RETURN _lane;
                END IF;
                -- Lane 0 has become large since: all lanes have to be looked at, which nobody may wait for who holds one.
                RAISE EXCEPTION 'the account % has become large', _name USING ERRCODE = 'serialization_failure';
            END IF;
        END IF;
        EXIT WHEN _attempt = 2;
        PERFORM FROM "balance_accounts" WHERE "company_id" = _company AND "id" = _account FOR NO KEY UPDATE;
    END LOOP;
    SELECT count(*), coalesce(sum("balance_e2") FILTER (WHERE "key" = -64 * _account), 0) INTO _lanes, _sum FROM "balance_holders"
     WHERE "company_id" = _company AND "type" = 'account' AND "currency_iso" = _currency
       AND "key" BETWEEN -64 * _account - _most_lanes + 1 AND -64 * _account;
    IF _lanes < _most_lanes AND (_lanes = 0 OR abs(_sum) <= _most_of_first AND abs(_amount) <= _most_of_lane / 2) THEN
        INSERT INTO "balance_holders" ("company_id", "type", "key", "currency_iso")
        VALUES (_company, 'account', -64 * _account - _lanes, _currency) RETURNING * INTO _lane;
        IF _lanes > 0 THEN
            RETURN _lane;
        END IF;
    END IF;
    RETURN "take_all_lanes"(_company, _account, _currency, _amount);
END
$$;

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

-- The balances of what the type and key of a holder name that are not 0, by currency. They stay as they are until the
-- transaction ends, so that their holder can be deleted when there are none: its row is locked before.
CREATE OR REPLACE FUNCTION "unsettled_balances"(_company integer, _type text, _key integer)
RETURNS TABLE (currency_iso text, balance_e2 bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH own AS MATERIALIZED (
        SELECT h."currency_iso", h."balance_e2" FROM "balance_holders" AS h
         WHERE h."company_id" = _company AND h."type" = _type AND h."key" = _key
         ORDER BY h."currency_iso" COLLATE "C" FOR UPDATE
    )
    SELECT own."currency_iso", own."balance_e2" FROM own WHERE own."balance_e2" <> 0
$$;

-- Writes movements, all of them or none, and returns them, for "post_movements" and for history whose moments are past:
-- the owner of the tables alone may run it. The arrays have a value for each posting: its holder, its amount, its kind and
-- the movement that it reverses. Several postings are the sides of transfers, each with the one that follows it. A posting
-- that stands alone gets its other side in an account of the company, the one that is named; a second value of `_reverses`
-- is the movement that this side reverses. So each movement has a counterpart, and what is written sums to zero.
--
-- All holders are locked, in the order of type, key and currency, before anything is decided, the account's lane last, and
-- everything is decided before anything is written. The moment is the database's, taken after the locks, unless `_at` gives
-- that of history; it is never before a movement of the same holder, nor within a closed period.
--
-- Outcomes: `posted`; `known`, with the movements that the same request posted before, by its identity; or a row without a
-- movement: `reused` (the identity came with other postings), `deleted` (a holder is, and has no balance to settle),
-- `reversed` (already), `floor` with the balance of the holder
-- whose floor refuses it, `full` when a balance would leave 53 bits, which is all that answers can show. A holder that is no
-- row of the company is an error, unless it has a balance to settle from before that was asked for.
CREATE OR REPLACE FUNCTION "write_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz, _account text DEFAULT NULL, _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql AS $$
DECLARE
    _most CONSTANT bigint := 9007199254740991;
    _count CONSTANT integer := cardinality(_amounts);
    _when timestamptz;
    _closed timestamptz;
    _holder "balance_holders";
    _holders "balance_holders"[] := '{}';
    -- By posting: the place of its holder among the holders, its id, identity and final balance.
    _place integer[] := array_fill(0, ARRAY[_count]);
    _ids bigint[] := array_fill(0::bigint, ARRAY[_count]);
    _identities bytea[] := array_fill(NULL::bytea, ARRAY[_count]);
    _finals bigint[] := array_fill(0::bigint, ARRAY[_count]);
    -- By holder: its balance so far, and whether this call made its row.
    _balances bigint[] := '{}';
    _made boolean[] := '{}';
    _account_name CONSTANT text := coalesce(_account, CASE _kinds[1] WHEN 'gift_card' THEN 'gift_cards' ELSE 'adjustments' END);
    _state text;
    _known bigint;
    _same boolean;
    _other integer;
    _i integer;
BEGIN
    IF _identity IS NOT NULL THEN
        FOR _i IN 1.._count LOOP
            _identities[_i] := sha256(_identity || int4send(_i));
        END LOOP;
        SELECT count(*), bool_and(p."kind" IS NOT NULL AND (_count > 1 OR m."counterpart_id" IS NULL OR EXISTS (
                   SELECT FROM "balance_movements" AS o
                     JOIN "balance_accounts" AS a ON a."company_id" = o."company_id" AND a."id" = -o."holder_key" / 64
                    WHERE o."company_id" = _company AND o."id" = m."counterpart_id" AND a."name" = _account_name)))
          INTO _known, _same
          FROM "balance_movements" AS m
          LEFT JOIN unnest(_types, _keys, _currencies, _amounts, _kinds, _reverses[:_count], _identities)
                 AS p("type", "key", "currency", "amount", "kind", "reverses", "identity")
            ON p."identity" = m."identity" AND p."type" = m."holder_type" AND p."key" = m."holder_key"
               AND p."currency" = m."currency_iso" AND p."amount" = m."amount_e2" AND p."kind" = m."type"
               AND p."reverses" IS NOT DISTINCT FROM m."reverses_id" AND m."description" = _description
               AND m."related_type" IS NOT DISTINCT FROM _related_type AND m."related_id" IS NOT DISTINCT FROM _related_id
         WHERE m."company_id" = _company AND m."identity" = ANY (_identities || sha256(_identity || int4send(_count + 1)));
        IF _known = _count AND _same THEN
            outcome := 'known';
            RETURN QUERY SELECT 'known', NULL::bigint, m FROM unnest(_identities) WITH ORDINALITY AS i("identity", "place")
                JOIN "balance_movements" AS m ON m."company_id" = _company AND m."identity" = i."identity" ORDER BY i."place";
            RETURN;
        ELSIF _known > 0 THEN
            outcome := 'reused';
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;

    FOR _i IN
        SELECT p."place" FROM unnest(_types, _keys, _currencies) WITH ORDINALITY AS p("type", "key", "currency", "place")
         ORDER BY p."type" COLLATE "C", p."key", p."currency" COLLATE "C"
    LOOP
        IF _holder IS NULL OR _holder."type" <> _types[_i] OR _holder."key" <> _keys[_i]
            OR _holder."currency_iso" <> _currencies[_i]
        THEN
            _made := _made || false;
            LOOP
                SELECT * INTO _holder FROM "balance_holders"
                 WHERE "company_id" = _company AND "type" = _types[_i] AND "key" = _keys[_i]
                   AND "currency_iso" = _currencies[_i] FOR NO KEY UPDATE;
                EXIT WHEN FOUND;
                INSERT INTO "balance_holders" ("company_id", "type", "key", "currency_iso")
                VALUES (_company, _types[_i], _keys[_i], _currencies[_i]) ON CONFLICT DO NOTHING;
                _made[cardinality(_made)] := FOUND;
            END LOOP;
            _state := "holder_state"(_company, _types[_i], _keys[_i], _made[cardinality(_made)]);
            IF _state IS NULL AND _holder."balance_e2" = 0 THEN
                RAISE EXCEPTION 'there is no % % in company %', _types[_i], _keys[_i], _company
                    USING ERRCODE = 'foreign_key_violation';
            ELSIF _state = 'deleted' AND _holder."balance_e2" = 0 THEN
                outcome := 'deleted';
            END IF;
            _holders := _holders || _holder;
            _balances := _balances || _holder."balance_e2";
            _when := greatest(_when, _holder."last_at");
        END IF;
        _place[_i] := cardinality(_holders);
    END LOOP;

    IF EXISTS (SELECT FROM "balance_movements" WHERE "company_id" = _company AND "reverses_id" = ANY (_reverses)) THEN
        outcome := coalesce(outcome, 'reversed');
    END IF;
    FOR _i IN 1.._count LOOP
        EXIT WHEN outcome IS NOT NULL;
        _holder := _holders[_place[_i]];
        refused_balance_e2 := _balances[_place[_i]];
        IF abs(refused_balance_e2::numeric + _amounts[_i]) > _most THEN
            outcome := 'full';
        ELSIF _amounts[_i] < 0 AND refused_balance_e2 + _amounts[_i] < _holder."floor_e2" THEN
            outcome := 'floor';
        ELSE
            _finals[_i] := refused_balance_e2 + _amounts[_i];
            _balances[_place[_i]] := _finals[_i];
            _ids[_i] := nextval('balance_movements_id_seq');
        END IF;
    END LOOP;
    IF _count = 1 AND outcome IS NULL THEN
        _holder := "take_account_lane"(_company, _account_name, _currencies[1], -_amounts[1], _when);
        IF _holder IS NULL THEN
            outcome := 'full';
            _holder := _holders[1];
        ELSE
            _when := greatest(_when, _holder."last_at");
            _types := _types || 'account'::text;
            _keys := _keys || _holder."key";
            _currencies := _currencies || _currencies[1];
            _amounts := _amounts || -_amounts[1];
            _kinds := _kinds || _kinds[1];
            _holders := _holders || _holder;
            _place := _place || 2;
            _finals := _finals || (_holder."balance_e2" + _amounts[2]);
            _ids := _ids || nextval('balance_movements_id_seq');
        END IF;
    END IF;
    IF outcome IS NOT NULL THEN
        -- The balance before the call, whatever other postings of the same holder would have made of it.
        refused_balance_e2 := _holder."balance_e2";
        FOR _i IN 1..cardinality(_holders) LOOP
            IF _made[_i] THEN
                DELETE FROM "balance_holders"
                 WHERE "company_id" = _company AND "type" = (_holders[_i])."type" AND "key" = (_holders[_i])."key"
                   AND "currency_iso" = (_holders[_i])."currency_iso";
            END IF;
        END LOOP;
        RETURN NEXT;
        RETURN;
    END IF;

    SELECT p."until" INTO _closed FROM "balance_periods" AS p WHERE p."company_id" = _company ORDER BY p."until" DESC LIMIT 1;
    IF _at < _closed THEN
        RAISE EXCEPTION 'the books of company % are closed until %', _company, _closed USING ERRCODE = 'datetime_field_overflow';
    END IF;
    _when := greatest(date_trunc('milliseconds', coalesce(_at, clock_timestamp())), _when, _closed);
    outcome := 'posted';
    refused_balance_e2 := NULL;
    FOR _i IN 1..cardinality(_ids) LOOP
        _holder := _holders[_place[_i]];
        _holder."movement_count" := _holder."movement_count" + 1;
        _other := CASE _i % 2 WHEN 1 THEN _i + 1 ELSE _i - 1 END;
        movement := NULL;
        movement."company_id" := _company;
        movement."id" := _ids[_i];
        movement."holder_type" := _types[_i];
        movement."holder_key" := _keys[_i];
        movement."currency_iso" := _currencies[_i];
        movement."number" := _holder."movement_count";
        movement."initial_balance_e2" := _holder."balance_e2";
        movement."amount_e2" := _amounts[_i];
        movement."final_balance_e2" := _finals[_i];
        movement."type" := _kinds[_i];
        movement."description" := _description;
        movement."is_deferred" := false;
        movement."author_id" := _author;
        movement."related_type" := _related_type;
        movement."related_id" := _related_id;
        movement."counterpart_id" := _ids[_other];
        IF _count > 1 THEN
            movement."transfer_id" := _ids[least(_i, _other)];
            movement."counterpart_final_e2" := _finals[_other];
        END IF;
        movement."reverses_id" := _reverses[_i];
        movement."identity" := _identities[_i];
        movement."request_id" := _request;
        movement."actor_kind" := _actor;
        movement."created_at" := _when;
        movement."hash" := "movement_hash"(_holder."last_hash", movement);
        INSERT INTO "balance_movements" SELECT movement.*;
        _holder."balance_e2" := _finals[_i];
        _holder."credit_e2" := _holder."credit_e2" + greatest(_amounts[_i], 0);
        _holder."last_hash" := movement."hash";
        _holders[_place[_i]] := _holder;
        RETURN NEXT;
    END LOOP;
    FOREACH _holder IN ARRAY _holders LOOP
        UPDATE "balance_holders"
           SET "balance_e2" = _holder."balance_e2", "movement_count" = _holder."movement_count", "credit_e2" = _holder."credit_e2",
               "owes" = _holder."balance_e2" < 0, "last_hash" = _holder."last_hash", "last_at" = _when
         WHERE "company_id" = _company AND "type" = _holder."type" AND "key" = _holder."key"
           AND "currency_iso" = _holder."currency_iso";
    END LOOP;
END
$$;

ALTER TABLE balance_accounts ADD CONSTRAINT balance_accounts_id_check CHECK (((id >= 1) AND (id <= 1000000)));

ALTER TABLE balance_accounts ADD CONSTRAINT balance_accounts_name_check CHECK ((name ~ '^[a-z_]{1,32}$'::text));

ALTER TABLE balance_holders ADD CONSTRAINT balance_holders_key_check CHECK (((key >= 1) OR ((type = 'account'::text) AND (key < 0)))) NOT VALID;

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_actor_check CHECK (((actor_kind ~ '^[a-z]{1,16}$'::text) AND (char_length(request_id) <= 128))) NOT VALID;

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_counterpart_check CHECK ((((transfer_id IS NULL) = (counterpart_final_e2 IS NULL)) AND ((transfer_id IS NULL) OR (counterpart_id IS NOT NULL)) AND ((holder_key > 0) OR (counterpart_id IS NOT NULL)))) NOT VALID;

ALTER TABLE invoice_documents ADD CONSTRAINT invoice_documents_amount_e2_check CHECK (((amount_e2 >= 0) AND (amount_e2 <= '9007199254740991'::bigint))) NOT VALID;

CREATE TRIGGER balance_accounts_kept BEFORE DELETE OR UPDATE ON public.balance_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER balance_accounts_not_emptied BEFORE TRUNCATE ON public.balance_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER balance_movements_sides AFTER INSERT ON public.balance_movements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.counterpart_id IS NOT NULL)) EXECUTE FUNCTION check_transfer_sides();

CREATE TRIGGER balance_periods_kept BEFORE DELETE OR UPDATE ON public.balance_periods FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER balance_periods_not_emptied BEFORE TRUNCATE ON public.balance_periods FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER coupon_redemptions_returned_once BEFORE UPDATE ON public.coupon_redemptions FOR EACH ROW WHEN (((old.returned_at IS NOT NULL) OR (new.returned_at IS NULL) OR ((old.order_id IS NULL) AND (old.movement_id IS NULL)) OR ((to_jsonb(new.*) - 'returned_at'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'returned_at'::text)))) EXECUTE FUNCTION refuse_change();
