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
    -- The transaction has a number before any movement has its id, so that settled_movement waits for it.
    PERFORM pg_current_xact_id();
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
