-- Whether what the type and key of a holder name is a row of the company, deleted or not.
CREATE OR REPLACE FUNCTION "holder_exists"(_company integer, _type text, _key integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE _type
        WHEN 'company' THEN _key = _company
        WHEN 'account' THEN EXISTS (SELECT FROM "admins" WHERE "company_id" = _company AND "account_id" = _key)
        WHEN 'client' THEN EXISTS (SELECT FROM "clients" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'provider' THEN EXISTS (SELECT FROM "providers" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'branch' THEN EXISTS (SELECT FROM "branches" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'city' THEN EXISTS (SELECT FROM "cities" WHERE "company_id" = _company AND "id" = _key)
        ELSE false
    END
$$;

-- Writes movements, all of them or none, and returns them, for "post_movements" and for history whose moments are past:
-- the owner of the tables alone may run it. One posting stands alone; several are the sides of transfers, each with the one
-- that follows it. The arrays have a value for each posting: its holder, its amount, its kind and the movement that it
-- reverses. All holders are locked, in the order of type, key and currency, before anything is decided, and everything is
-- decided before anything is written.
--
-- Outcomes: `posted`; `known`, with the movements that the same request posted before, by its identity; or a row without a
-- movement: `reused` (the identity came with other postings), `reversed` (already), `floor` with the balance of the holder
-- whose floor refuses it, `full` when a balance would leave 53 bits, which is all that answers can show.
CREATE OR REPLACE FUNCTION "write_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql AS $$
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

-- Posts movements by "write_movements", with its arguments and outcomes; nothing else that the service may run does. It
-- refuses, by an error, a moment that is more than 15 minutes off the database's clock, and a posting to a holder that is
-- no row of the company; a deleted row may still have a balance to settle.
--
-- It writes as its owner: the service needs no right to write movements or balances by itself.
CREATE OR REPLACE FUNCTION "post_movements"(
    _company integer, _types text[], _keys integer[], _currencies text[], _amounts bigint[], _kinds text[],
    _reverses bigint[], _description text, _author integer, _related_type text, _related_id bigint,
    _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements")
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _row record;
BEGIN
    -- A request waits 10 minutes at most; the rest is for clocks of processes that are wrong.
    IF _at IS NULL OR abs(extract(epoch FROM _at - clock_timestamp())) > 900 THEN
        RAISE EXCEPTION 'the moment % is off the clock of the database', _at USING ERRCODE = 'datetime_field_overflow';
    END IF;
    FOR _row IN
        SELECT * FROM "write_movements"(_company, _types, _keys, _currencies, _amounts, _kinds, _reverses, _description,
                                        _author, _related_type, _related_id, _identity, _at)
    LOOP
        outcome := _row."outcome";
        refused_balance_e2 := _row."refused_balance_e2";
        movement := _row."movement";
        IF outcome = 'posted' AND NOT "holder_exists"(_company, movement."holder_type", movement."holder_key") THEN
            RAISE EXCEPTION 'there is no % % in company %', movement."holder_type", movement."holder_key", _company
                USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

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

CREATE TRIGGER balance_holders_not_emptied BEFORE TRUNCATE ON public.balance_holders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
