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
-- whose floor, its own or that of its type, refuses it, `too_large` with the largest amount that the type of the author
-- posts at once, `full` when a balance would leave 53 bits, which is all that answers can show. A holder that is no
-- row of the company is an error, unless it has a balance to settle from before that was asked for, or what it had is reversed:
-- then it is `deleted`.
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
    _rows "balance_movements"[] := '{}';
    _account_name CONSTANT text := coalesce(_account, CASE _kinds[1] WHEN 'gift_card' THEN 'gift_cards' ELSE 'adjustments' END);
    _order integer[] := '{1}';
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

    -- What a gift card is worth was decided before.
    IF _author IS NOT NULL AND _kinds[1] <> 'gift_card' THEN
        SELECT t."most_posted_e2" INTO refused_balance_e2
          FROM "admins" AS a JOIN "admin_types" AS t ON t."company_id" = a."company_id" AND t."id" = a."admin_type_id"
         WHERE a."company_id" = _company AND a."id" = _author AND NOT a."is_owner" AND NOT a."is_full_admin";
        IF EXISTS (SELECT FROM unnest(_amounts) AS p("amount") WHERE abs(p."amount"::numeric) > refused_balance_e2) THEN
            outcome := 'too_large';
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;

    IF _count > 1 THEN
        _order := ARRAY(
            SELECT p."place" FROM unnest(_types, _keys, _currencies) WITH ORDINALITY AS p("type", "key", "currency", "place")
             ORDER BY p."type" COLLATE "C", p."key", p."currency" COLLATE "C");
    END IF;
    FOREACH _i IN ARRAY _order LOOP
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
            -- What has a balance is settled whatever has become of the holder.
            IF _holder."balance_e2" = 0 THEN
                _state := "holder_state"(_company, _types[_i], _keys[_i], _made[cardinality(_made)]);
                -- What a movement was posted for was there: of providers, branches and cities no row is left.
                IF _state = 'deleted' OR _state IS NULL AND _reverses[1] IS NOT NULL THEN
                    outcome := 'deleted';
                ELSIF _state IS NULL THEN
                    RAISE EXCEPTION 'there is no % % in company %', _types[_i], _keys[_i], _company
                        USING ERRCODE = 'foreign_key_violation';
                END IF;
            END IF;
            _holders := _holders || _holder;
            _balances := _balances || _holder."balance_e2";
            _when := greatest(_when, _holder."last_at");
        END IF;
        _place[_i] := cardinality(_holders);
    END LOOP;

    -- Conditions with a query are inner ones: PL/pgSQL would run it whatever stands before.
    IF outcome IS NULL AND _reverses[1] IS NOT NULL THEN
        IF EXISTS (SELECT FROM "balance_movements" WHERE "company_id" = _company AND "reverses_id" = ANY (_reverses)) THEN
            outcome := 'reversed';
        END IF;
    END IF;
    FOR _i IN 1.._count LOOP
        EXIT WHEN outcome IS NOT NULL;
        _holder := _holders[_place[_i]];
        refused_balance_e2 := _balances[_place[_i]];
        IF abs(refused_balance_e2::numeric + _amounts[_i]) > _most THEN
            outcome := 'full';
            EXIT;
        END IF;
        _finals[_i] := refused_balance_e2 + _amounts[_i];
        IF _amounts[_i] < 0 THEN
            IF _holder."floor_e2" IS NULL THEN
                SELECT "floor_e2" INTO _holder."floor_e2" FROM "balance_type_floors"
                 WHERE "company_id" = _company AND "type" = _types[_i] AND "currency_iso" = _currencies[_i];
            END IF;
            IF _finals[_i] < _holder."floor_e2" THEN
                outcome := 'floor';
                EXIT;
            END IF;
        END IF;
        _balances[_place[_i]] := _finals[_i];
        _ids[_i] := nextval('balance_movements_id_seq');
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
        _rows := _rows || movement;
        _holder."balance_e2" := _finals[_i];
        _holder."credit_e2" := _holder."credit_e2" + greatest(_amounts[_i], 0);
        _holder."last_hash" := movement."hash";
        _holders[_place[_i]] := _holder;
        RETURN NEXT;
    END LOOP;
    INSERT INTO "balance_movements" SELECT r.* FROM unnest(_rows) AS r;
    -- One by one, each by its key: a plan for several that is made while there are few holders reads all of the company.
    FOREACH _holder IN ARRAY _holders LOOP
        UPDATE "balance_holders"
           SET "balance_e2" = _holder."balance_e2", "movement_count" = _holder."movement_count", "credit_e2" = _holder."credit_e2",
               "owes" = _holder."balance_e2" < 0, "last_hash" = _holder."last_hash", "last_at" = _when
         WHERE "company_id" = _company AND "type" = _holder."type" AND "key" = _holder."key"
           AND "currency_iso" = _holder."currency_iso";
    END LOOP;
END
$$;
