ALTER TABLE balance_holders DROP CONSTRAINT balance_holders_movement_count_check;

DROP ROUTINE post_movement(integer,text,integer,text,bigint,text,text,integer,text,bigint,timestamp with time zone);

-- AlterTable
ALTER TABLE "balance_holders" ADD COLUMN     "floor_e2" BIGINT,
ADD COLUMN     "last_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_hash" BYTEA,
ADD COLUMN     "owes" BOOLEAN NOT NULL DEFAULT false,
ALTER COLUMN "balance_e2" SET DEFAULT 0,
ALTER COLUMN "movement_count" SET DEFAULT 0;

-- AlterTable
ALTER TABLE "balance_movements" ADD COLUMN     "counterpart_final_e2" BIGINT,
ADD COLUMN     "counterpart_id" BIGINT,
ADD COLUMN     "hash" BYTEA,
ADD COLUMN     "identity" BYTEA,
ADD COLUMN     "is_deferred" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reverses_id" BIGINT,
ADD COLUMN     "transfer_id" BIGINT;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "uuid" UUID NOT NULL DEFAULT gen_random_uuid();

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

-- Gives the client of an order change: the provider who is named pays it (as `shopper` or `deliverer`), else the company.
-- On request it takes back the fee of one of the two, which goes from the provider to the company, in the order's currency,
-- once for each order and role unless that was reversed. All of it is decided under the lock of the order.
--
-- Outcomes are those of "post_movements", and: `no_order`, `canceled`, `no_client`, `no_payer`, `no_fee`, `fee_taken`.
CREATE OR REPLACE FUNCTION "give_change"(
    _company integer, _order integer, _amount bigint, _currency text, _payer text, _fee_of text,
    _description text, _author integer, _identity bytea, _at timestamptz
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
        _description, _author, 'order', _order, _identity, _at);
END
$$;

-- Returns the hash of a movement: SHA-256 of the hash before it (of a holder's first movement, of nothing) and of its
-- fields, one in each line, in UTF-8. An absent value is an empty line, a moment its milliseconds since 1970, bytes are
-- hexadecimal. The description is the last: no other field can hold a line break, so no two movements have the same text.
CREATE OR REPLACE FUNCTION "movement_hash"(_previous bytea, _movement "balance_movements") RETURNS bytea
LANGUAGE sql STABLE AS $$
    SELECT sha256(coalesce(_previous, '') || convert_to(concat(
        _movement."company_id", E'\n', _movement."id", E'\n',
        _movement."holder_type", E'\n', _movement."holder_key", E'\n', _movement."currency_iso", E'\n',
        _movement."number", E'\n', _movement."initial_balance_e2", E'\n', _movement."amount_e2", E'\n',
        _movement."final_balance_e2", E'\n', _movement."type", E'\n', _movement."is_deferred"::integer, E'\n',
        _movement."author_id", E'\n', _movement."related_type", E'\n', _movement."related_id", E'\n',
        _movement."transfer_id", E'\n', _movement."counterpart_id", E'\n', _movement."counterpart_final_e2", E'\n',
        _movement."reverses_id", E'\n', encode(_movement."identity", 'hex'), E'\n',
        (extract(epoch FROM _movement."created_at") * 1000)::bigint, E'\n', _movement."description"), 'UTF8'))
$$;

-- Posts movements, all of them or none, and returns them; nothing else writes movements. One posting stands alone; several
-- are the sides of transfers, each with the one that follows it. The arrays have a value for each posting: its holder, its
-- amount, its kind and the movement that it reverses. All holders are locked, in the order of type, key and currency,
-- before anything is decided, and everything is decided before anything is written.
--
-- Outcomes: `posted`; `known`, with the movements that the same request posted before, by its identity; or a row without a
-- movement: `reused` (the identity came with other postings), `reversed` (already), `floor` with the balance of the holder
-- whose floor refuses it, `full` when a balance would leave 53 bits, which is all that answers can show.
--
-- It writes as its owner: the service needs no right to write movements or balances by itself.
CREATE OR REPLACE FUNCTION "post_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _most CONSTANT bigint := 9007199254740991;
    _count CONSTANT integer := cardinality(_amounts);
    _when timestamptz := date_trunc('milliseconds', _at);
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
    _known bigint;
    _same boolean;
    _other integer;
    _i integer;
BEGIN
    IF _identity IS NOT NULL THEN
        FOR _i IN 1.._count LOOP
            _identities[_i] := sha256(_identity || int4send(_i));
        END LOOP;
        SELECT count(*), bool_and(p."kind" IS NOT NULL) INTO _known, _same
          FROM "balance_movements" AS m
          LEFT JOIN unnest(_types, _keys, _currencies, _amounts, _kinds, _reverses, _identities)
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
            _holders := _holders || _holder;
            _balances := _balances || _holder."balance_e2";
            _when := greatest(_when, _holder."last_at");
        END IF;
        _place[_i] := cardinality(_holders);
    END LOOP;

    IF EXISTS (SELECT FROM "balance_movements" WHERE "company_id" = _company AND "reverses_id" = ANY (_reverses)) THEN
        outcome := 'reversed';
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

    outcome := 'posted';
    refused_balance_e2 := NULL;
    FOR _i IN 1.._count LOOP
        _holder := _holders[_place[_i]];
        _holder."movement_count" := _holder."movement_count" + 1;
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
        IF _count > 1 THEN
            _other := CASE _i % 2 WHEN 1 THEN _i + 1 ELSE _i - 1 END;
            movement."transfer_id" := _ids[least(_i, _other)];
            movement."counterpart_id" := _ids[_other];
            movement."counterpart_final_e2" := _finals[_other];
        END IF;
        movement."reverses_id" := _reverses[_i];
        movement."identity" := _identities[_i];
        movement."created_at" := _when;
        movement."hash" := "movement_hash"(_holder."last_hash", movement);
        INSERT INTO "balance_movements" SELECT movement.*;
        _holder."balance_e2" := _finals[_i];
        _holder."last_hash" := movement."hash";
        _holders[_place[_i]] := _holder;
        RETURN NEXT;
    END LOOP;
    FOREACH _holder IN ARRAY _holders LOOP
        UPDATE "balance_holders"
           SET "balance_e2" = _holder."balance_e2", "movement_count" = _holder."movement_count",
               "owes" = _holder."balance_e2" < 0, "last_hash" = _holder."last_hash", "last_at" = _when
         WHERE "company_id" = _company AND "type" = _holder."type" AND "key" = _holder."key"
           AND "currency_iso" = _holder."currency_iso";
    END LOOP;
END
$$;

-- Turns a gift card's code into balance, once. Returns the outcome `redeemed` with the holder's balance after it,
-- `changed`, `full` when the balance cannot hold it, or the reason why the card does not apply.
CREATE OR REPLACE FUNCTION "redeem_gift_card"(
    _company integer, _coupon integer, _code_id bigint, _code text, _client integer,
    _holder_type text, _holder_key integer, _currency text, _author integer, _at timestamptz, _seen timestamptz,
    OUT outcome text, OUT use_id bigint, OUT given_e2 bigint, OUT balance_e2 bigint
) LANGUAGE plpgsql AS $$
DECLARE
    coupon "coupons";
    uses_per_client bigint;
    posted text;
BEGIN
    SELECT * INTO coupon FROM "coupons" WHERE "company_id" = _company AND "id" = _coupon FOR NO KEY UPDATE;
    IF NOT FOUND OR coupon."updated_at" <> _seen THEN outcome := 'changed'; RETURN; END IF;
    IF NOT "coupon_runs"(coupon, _at) THEN outcome := 'COUPON_NOT_RUNNING'; RETURN; END IF;
    IF coupon."spent_count" + coupon."held_count" >= coupon."total_count" THEN outcome := 'COUPON_EXHAUSTED'; RETURN; END IF;
    IF NOT EXISTS (
        SELECT FROM "coupon_codes"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id AND "used_at" IS NULL
    ) THEN outcome := 'COUPON_CODE_USED'; RETURN; END IF;
    uses_per_client := (coupon."config" ->> 'limit')::bigint;
    IF uses_per_client IS NOT NULL AND _client IS NOT NULL AND uses_per_client <= (
        SELECT count(*) FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _coupon AND "client_id" = _client
    ) THEN outcome := 'COUPON_LIMIT'; RETURN; END IF;
    given_e2 := coupon."price_e2";
    IF given_e2 > 9223372036854775807 - coupon."spent_amount_e2" THEN outcome := 'full'; RETURN; END IF;

    SELECT p."outcome", (p."movement")."final_balance_e2" INTO posted, redeem_gift_card.balance_e2
      FROM "post_movements"(_company, ARRAY[_holder_type], ARRAY[_holder_key], ARRAY[_currency], ARRAY[given_e2],
                            ARRAY['gift_card'], ARRAY[NULL::bigint], coupon."name", _author, 'coupon', _coupon,
                            NULL, _at) AS p;
    IF posted <> 'posted' THEN outcome := posted; RETURN; END IF;
    UPDATE "coupon_codes" SET "used_at" = _at WHERE "company_id" = _company AND "coupon_id" = _coupon AND "id" = _code_id;
    UPDATE "coupons" SET "spent_count" = "spent_count" + 1, "spent_amount_e2" = "spent_amount_e2" + given_e2
     WHERE "company_id" = _company AND "id" = _coupon;
    INSERT INTO "coupon_redemptions" ("company_id", "coupon_id", "code", "client_id", "amount_e2", "created_at")
    VALUES (_company, _coupon, _code, _client, given_e2, _at)
    RETURNING "id" INTO use_id;
    outcome := 'redeemed';
END
$$;

-- Posts a movement that takes another one back, and points to it; of a transfer it takes back both sides. A movement is
-- reversed once.
--
-- Outcomes are those of "post_movements", and: `no_movement`, `is_reversal` (which is not taken back itself).
CREATE OR REPLACE FUNCTION "reverse_movement"(
    _company integer, _id bigint, _description text, _author integer, _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _one "balance_movements";
    _other "balance_movements";
BEGIN
    SELECT * INTO _one FROM "balance_movements" WHERE "company_id" = _company AND "id" = _id;
    outcome := CASE WHEN NOT FOUND THEN 'no_movement' WHEN _one."type" = 'reversal' THEN 'is_reversal' END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    IF _one."counterpart_id" IS NULL THEN
        RETURN QUERY SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type"], ARRAY[_one."holder_key"], ARRAY[_one."currency_iso"],
            ARRAY[-_one."amount_e2"], ARRAY['reversal'], ARRAY[_one."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at);
        RETURN;
    END IF;
    SELECT * INTO STRICT _other FROM "balance_movements" WHERE "company_id" = _company AND "id" = _one."counterpart_id";
    RETURN QUERY SELECT * FROM "post_movements"(
        _company, ARRAY[_one."holder_type", _other."holder_type"], ARRAY[_one."holder_key", _other."holder_key"],
        ARRAY[_one."currency_iso", _other."currency_iso"], ARRAY[-_one."amount_e2", -_other."amount_e2"],
        ARRAY['reversal', 'reversal'], ARRAY[_one."id", _other."id"],
        _description, _author, _one."related_type", _one."related_id", _identity, _at);
END
$$;

-- Sets the floor of a holder, or removes it with null, and returns the holder, which may be one without movements. It
-- writes as its owner, as "post_movements" does.
CREATE OR REPLACE FUNCTION "set_balance_floor"(
    _company integer, _type text, _key integer, _currency text, _floor bigint
) RETURNS "balance_holders"
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO "balance_holders" AS h ("company_id", "type", "key", "currency_iso", "floor_e2")
    VALUES (_company, _type, _key, _currency, _floor)
    ON CONFLICT ("company_id", "type", "key", "currency_iso") DO UPDATE SET "floor_e2" = EXCLUDED."floor_e2"
    RETURNING h.*
$$;

-- Movements from before get their hashes: each holder's chain is made in the order of its numbers. Requests that ran at once
-- could post in another order than they had begun, by milliseconds: a later movement is not earlier than the one before.
ALTER TABLE "balance_movements" DISABLE TRIGGER "balance_movements_append_only";
DO $$
DECLARE
    _movement "balance_movements";
    _last "balance_movements";
BEGIN
    FOR _movement IN
        SELECT * FROM "balance_movements" ORDER BY "company_id", "holder_type", "holder_key", "currency_iso", "number"
    LOOP
        IF _movement."number" = 1 THEN _last := NULL; END IF;
        _movement."created_at" := greatest(_movement."created_at", _last."created_at");
        _movement."hash" := "movement_hash"(_last."hash", _movement);
        UPDATE "balance_movements" SET "created_at" = _movement."created_at", "hash" = _movement."hash"
         WHERE "company_id" = _movement."company_id" AND "id" = _movement."id";
        _last := _movement;
    END LOOP;
END
$$;
ALTER TABLE "balance_movements" ENABLE TRIGGER "balance_movements_append_only";
ALTER TABLE "balance_movements" ALTER COLUMN "hash" SET NOT NULL;
UPDATE "balance_holders" AS h SET "owes" = h."balance_e2" < 0, "last_hash" = m."hash", "last_at" = m."created_at"
  FROM "balance_movements" AS m
 WHERE m."company_id" = h."company_id" AND m."holder_type" = h."type" AND m."holder_key" = h."key"
   AND m."currency_iso" = h."currency_iso" AND m."number" = h."movement_count";

ALTER TABLE balance_holders ADD CONSTRAINT balance_holders_latest_check CHECK ((((movement_count > 0) = (last_hash IS NOT NULL)) AND ((last_hash IS NULL) = (last_at IS NULL))));

ALTER TABLE balance_holders ADD CONSTRAINT balance_holders_movement_count_check CHECK ((movement_count >= 0));

ALTER TABLE balance_holders ADD CONSTRAINT balance_holders_owes_check CHECK ((owes = (balance_e2 < 0)));

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_related_check CHECK (((related_type IS NULL) = (related_id IS NULL)));

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_reversal_check CHECK (((type = 'reversal'::text) = (reverses_id IS NOT NULL)));

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_side_check CHECK ((((transfer_id IS NULL) = (counterpart_id IS NULL)) AND ((transfer_id IS NULL) = (counterpart_final_e2 IS NULL))));

ALTER TABLE balance_movements ADD CONSTRAINT balance_movements_type_check CHECK ((type = ANY (ARRAY['adjustment'::text, 'transfer'::text, 'change'::text, 'shopper_fee'::text, 'deliverer_fee'::text, 'gift_card'::text, 'reversal'::text])));

CREATE TRIGGER balance_holders_audit AFTER INSERT OR DELETE OR UPDATE OF floor_e2 ON public.balance_holders FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('balance_holder', '{last_hash}', '{type,key,currency_iso}');

CREATE TRIGGER balance_movements_not_emptied BEFORE TRUNCATE ON public.balance_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER balance_movements_sides AFTER INSERT ON public.balance_movements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.transfer_id IS NOT NULL)) EXECUTE FUNCTION check_transfer_sides();
