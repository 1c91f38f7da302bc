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
    FOR _attempt IN 1..2 LOOP
        IF abs(_amount) <= _most_of_lane / 2 THEN
            SELECT l.* INTO _lane
              FROM (SELECT -64 * "id" AS "first" FROM "balance_accounts" WHERE "company_id" = _company AND "name" = _name) AS a
             CROSS JOIN LATERAL (
               SELECT h.* FROM "balance_holders" AS h
                WHERE h."company_id" = _company AND h."type" = 'account' AND h."currency_iso" = _currency
                  AND h."key" BETWEEN a."first" - _most_lanes + 1 AND a."first"
                  AND (h."last_at" IS NULL OR h."last_at" <= _latest)
                  AND abs(h."balance_e2" + _amount) <= CASE WHEN h."key" = a."first" THEN _most_of_first ELSE _most_of_lane END
                ORDER BY h."key" DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS l;
            IF FOUND THEN
                IF _lane."key" % 64 = 0 THEN
                    RETURN _lane;
                ELSIF EXISTS (
                    SELECT FROM "balance_holders" AS f
                     WHERE f."company_id" = _company AND f."type" = 'account' AND f."currency_iso" = _currency
                       AND f."key" = _lane."key" / 64 * 64 AND abs(f."balance_e2") <= _most_of_first
                ) THEN
                    RETURN _lane;
                END IF;
                -- Lane 0 has become large since: all lanes have to be looked at, which nobody may wait for who holds one.
                RAISE EXCEPTION 'the account % has become large', _name USING ERRCODE = 'serialization_failure';
            END IF;
        END IF;
        EXIT WHEN _attempt = 2;
        LOOP
            SELECT "id" INTO _account FROM "balance_accounts" WHERE "company_id" = _company AND "name" = _name;
            EXIT WHEN FOUND;
            INSERT INTO "balance_accounts" ("company_id", "id", "name")
            SELECT _company, coalesce(max("id"), 0) + 1, _name FROM "balance_accounts" WHERE "company_id" = _company
            ON CONFLICT DO NOTHING;
        END LOOP;
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
