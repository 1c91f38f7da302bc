-- Closes the books of a company up to a moment. A movement takes its moment when its transaction has a number already, so
-- after those that run now have ended, nothing before this moment can still be committed: it waits for them, at most
-- `_patience`, and holds nothing meanwhile. In a distributed database they run, and are waited for, where the company's row is.
--
-- Outcomes: `closed`; `not_past`, `not_later` than the last period, `busy` when something ran longer.
CREATE OR REPLACE FUNCTION "close_balance_period"(_company integer, _until timestamptz, _admin integer, _patience interval)
RETURNS TABLE (outcome text, id integer, until timestamptz, admin_id integer, created_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    outcome := CASE
        WHEN _until > clock_timestamp() THEN 'not_past'
        WHEN EXISTS (SELECT FROM "balance_periods" AS p WHERE p."company_id" = _company AND p."until" >= _until) THEN 'not_later'
    END;
    IF outcome IS NULL AND NOT (SELECT "await_running"(_patience) FROM "companies" AS c WHERE c."id" = _company) THEN
        outcome := 'busy';
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
