-- Records the next draw of a client in an event as it was judged: lost, or won at `_place` with a coupon of `_terms`
-- and one of `_codes`.
--   _locks         first number of the advisory locks of events.
--   _first, _last  numbers of the draws that were judged: all of them lose, or the only one wins.
-- Returns the outcome `lost`, `won` or `changed`, which does nothing: the event is over, the client has won or is
-- past these draws, or the last coupon of the place is gone.
--
-- Locks are taken in one order: event, player, coupon, code, prize. The event's is shared by all draws and keeps them
-- apart from its end. The player's is the client's own, so a draw that loses waits for no other client. All winners
-- of a place wait for one another, so the prize is locked last.
CREATE OR REPLACE FUNCTION "record_draw"(
    _locks integer, _company integer, _event integer, _client integer, _first integer, _last integer, _at timestamptz,
    _place integer, _terms jsonb, _codes text[],
    OUT outcome text, OUT draw_number integer, OUT coupon "coupons", OUT coupon_code text
) LANGUAGE plpgsql AS $$
DECLARE
    given record;
    win_number integer;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(_locks, _event);
    INSERT INTO "company_event_players" AS p ("company_id", "company_event_id", "client_id", "draw_count", "won_at")
    SELECT "company_id", "id", _client, 1, CASE WHEN _place IS NOT NULL THEN _at END FROM "company_events"
     WHERE "company_id" = _company AND "id" = _event AND "status" IN ('ready', 'running')
    ON CONFLICT ("company_id", "company_event_id", "client_id") DO UPDATE
        SET "draw_count" = p."draw_count" + 1, "won_at" = EXCLUDED."won_at"
      WHERE p."won_at" IS NULL AND p."draw_count" + 1 BETWEEN _first AND _last
    RETURNING "draw_count" INTO draw_number;
    IF draw_number IS NULL THEN outcome := 'changed'; RETURN; END IF;

    IF _place IS NULL THEN
        INSERT INTO "company_event_draws" ("company_id", "company_event_id", "client_id", "number", "drawn_at")
        VALUES (_company, _event, _client, draw_number, _at);
        outcome := 'lost'; RETURN;
    END IF;

    BEGIN
        given := "give_prize_coupon"(_company, _event, _client, _at, _terms, _codes);
        UPDATE "company_event_prizes" SET "won_count" = "won_count" + 1
         WHERE "company_id" = _company AND "company_event_id" = _event AND "place" = _place AND "won_count" < "max_count"
        RETURNING "won_count" INTO STRICT win_number;
        -- The draw gets its id while the prize is locked, so that ids follow the order of the wins.
        INSERT INTO "company_event_draws"
            ("company_id", "company_event_id", "client_id", "number", "drawn_at", "place", "prize_number", "coupon_id")
        VALUES (_company, _event, _client, draw_number, _at, _place, win_number, (given.coupon)."id");
        coupon := given.coupon;
        coupon_code := given.coupon_code;
        outcome := 'won';
    EXCEPTION WHEN no_data_found THEN
        -- The last one was won in between: this block has left no coupon, and the draw is to be judged anew.
        UPDATE "company_event_players" SET "draw_count" = "draw_count" - 1, "won_at" = NULL
         WHERE "company_id" = _company AND "company_event_id" = _event AND "client_id" = _client;
        outcome := 'changed';
    END;
END
$$;
