-- CreateTable
CREATE TABLE "balance_hours" (
    "company_id" INTEGER NOT NULL,
    "currency_iso" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "holder_type" TEXT NOT NULL,
    "account" INTEGER NOT NULL,
    "holders" INTEGER NOT NULL,
    "movement_count" INTEGER NOT NULL,
    "credit_e2" DECIMAL(38,0) NOT NULL,
    "amount_e2" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "balance_hours_pkey" PRIMARY KEY ("company_id","currency_iso","hour","holder_type","account")
);

-- CreateTable
CREATE TABLE "balance_hour_ends" (
    "company_id" INTEGER NOT NULL,
    "last_id" BIGINT NOT NULL DEFAULT 0,
    "movement_count" BIGINT NOT NULL DEFAULT 0,
    "summed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "balance_hour_ends_pkey" PRIMARY KEY ("company_id")
);

-- AddForeignKey
ALTER TABLE "balance_hours" ADD CONSTRAINT "balance_hours_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_hour_ends" ADD CONSTRAINT "balance_hour_ends_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

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

-- Returns an id: all movements up to it are committed or given up for good. It waits for transactions that run now, which may
-- have taken such ids, at most `_patience`; nothing when one of them runs longer. A movement gets its id behind a lock of
-- its holder's row, so that its transaction has a number already and is waited for.
CREATE OR REPLACE FUNCTION "settled_movement"(_patience interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _last CONSTANT bigint := (SELECT "last_value" FROM "balance_movements_id_seq");
BEGIN
    RETURN CASE WHEN "await_running"(_patience) THEN _last END;
END
$$;

-- Adds movements of a company, up to a settled one (see settled_movement), to its sums by hour: at most `_most`, in the order of
-- their ids. Returns how many it added; 0: all are summed. So it may be broken off, and of two at once one waits.
--
-- The sums go by ids, not by moments: a movement that is written later and dated earlier is added to its hour then. Sums that
-- are not as many as they should be are made anew.
CREATE OR REPLACE FUNCTION "sum_movements"(_company integer, _settled bigint, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _end "balance_hour_ends";
    _last bigint;
    _count integer;
BEGIN
    LOOP
        SELECT * INTO _end FROM "balance_hour_ends" WHERE "company_id" = _company FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO "balance_hour_ends" ("company_id") VALUES (_company) ON CONFLICT DO NOTHING;
    END LOOP;
    IF _end."movement_count" <> (SELECT coalesce(sum("movement_count"), 0) FROM "balance_hours" WHERE "company_id" = _company) THEN
        DELETE FROM "balance_hours" WHERE "company_id" = _company;
        _end."last_id" := 0;
        _end."movement_count" := 0;
    END IF;
    SELECT max(m."id"), count(*) INTO _last, _count FROM (
        SELECT "id" FROM "balance_movements"
         WHERE "company_id" = _company AND "id" > _end."last_id" AND "id" <= _settled ORDER BY "id" LIMIT _most) AS m;
    INSERT INTO "balance_hours" AS h
           ("company_id", "currency_iso", "hour", "holder_type", "account", "holders", "movement_count", "credit_e2", "amount_e2")
    SELECT _company, m."currency_iso", date_trunc('hour', m."created_at", 'UTC'), m."holder_type",
           CASE WHEN m."holder_key" < 0 THEN -m."holder_key" / 64 ELSE 0 END,
           count(*) FILTER (WHERE m."number" = 1), count(*), sum(greatest(m."amount_e2", 0)), sum(m."amount_e2")
      FROM "balance_movements" AS m
     WHERE m."company_id" = _company AND m."id" > _end."last_id" AND m."id" <= _last
     GROUP BY 2, 3, 4, 5
        ON CONFLICT ("company_id", "currency_iso", "hour", "holder_type", "account") DO UPDATE
       SET "holders" = h."holders" + excluded."holders", "movement_count" = h."movement_count" + excluded."movement_count",
           "credit_e2" = h."credit_e2" + excluded."credit_e2", "amount_e2" = h."amount_e2" + excluded."amount_e2";
    UPDATE "balance_hour_ends"
       SET "last_id" = coalesce(_last, _end."last_id"), "movement_count" = _end."movement_count" + _count,
           "summed_at" = clock_timestamp()
     WHERE "company_id" = _company;
    RETURN _count;
END
$$;

CREATE TRIGGER balance_hour_ends_not_emptied BEFORE TRUNCATE ON public.balance_hour_ends FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER balance_hours_not_emptied BEFORE TRUNCATE ON public.balance_hours FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

COMMENT ON INDEX balance_hours_pkey IS 'key of the rows';
COMMENT ON INDEX balance_hour_ends_pkey IS 'key of the rows';
