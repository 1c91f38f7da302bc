-- Gives a client a personal coupon with one code, which runs at once and is for one use by that client alone.
--   _terms  name, amounts, code length and end of the coupon, by the names of the columns.
--   _codes  codes to try: the first that is free becomes the coupon's. Of two coupons that get the same code at
--           once, the second one tries its next.
CREATE OR REPLACE FUNCTION "give_prize_coupon"(
    _company integer, _event integer, _client integer, _at timestamptz, _terms jsonb, _codes text[],
    OUT coupon "coupons", OUT coupon_code text
) LANGUAGE plpgsql AS $$
DECLARE
    terms "coupons" := jsonb_populate_record(NULL::"coupons", _terms);
    code_id bigint;
BEGIN
    INSERT INTO "coupons"
        ("company_id", "company_event_id", "type", "status", "total_count", "generated_count", "starts_at", "whitelist",
         "name", "price_e2", "price_prc", "min_purchase_e2", "applies_to", "code_length", "ends_at")
    VALUES (_company, _event, 'personal', 'running', 1, 1, _at, ARRAY[_client],
         terms."name", terms."price_e2", terms."price_prc", terms."min_purchase_e2", terms."applies_to",
         terms."code_length", terms."ends_at")
    RETURNING * INTO coupon;

    FOREACH coupon_code IN ARRAY _codes LOOP
        INSERT INTO "coupon_codes" ("company_id", "coupon_id", "code") VALUES (_company, coupon."id", coupon_code)
        ON CONFLICT ("company_id", "code") DO NOTHING
        RETURNING "id" INTO code_id;
        EXIT WHEN code_id IS NOT NULL;
    END LOOP;
    IF code_id IS NULL THEN
        RAISE EXCEPTION 'no code of % characters was free', terms."code_length";
    END IF;

    -- The job that writes the coupon's end, as for every coupon.
    IF terms."ends_at" IS NOT NULL THEN
        PERFORM "graphile_worker"."add_job"(
            'couponDue', json_build_object('companyId', _company, 'couponId', coupon."id"),
            run_at => terms."ends_at", job_key => format('coupon:%s:%s', _company, coupon."id"));
    END IF;
END
$$;

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
