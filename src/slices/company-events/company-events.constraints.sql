-- Every row keeps these checks, whoever writes it.

ALTER TABLE "company_events"
    ADD CONSTRAINT "company_events_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "company_events_type_check" CHECK ("type" = 'coupon_gen'),
    ADD CONSTRAINT "company_events_status_check" CHECK ("status" IN ('pending', 'ready', 'running', 'finished')),
    ADD CONSTRAINT "company_events_ends_at_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "company_events_config_check" CHECK (jsonb_typeof("config") = 'object'),
    ADD CONSTRAINT "company_events_seed_check" CHECK (octet_length("seed") = 32 AND ("status" = 'pending') = ("seed" IS NULL));

ALTER TABLE "company_event_prizes"
    ADD CONSTRAINT "company_event_prizes_won_count_check" CHECK ("won_count" BETWEEN 0 AND "max_count");

ALTER TABLE "company_event_players"
    ADD CONSTRAINT "company_event_players_draw_count_check" CHECK ("draw_count" >= 0);

ALTER TABLE "company_event_draws"
    ADD CONSTRAINT "company_event_draws_number_check" CHECK ("number" >= 1 AND "prize_number" >= 1),
    ADD CONSTRAINT "company_event_draws_prize_check" CHECK (num_nulls("place", "prize_number", "coupon_id") IN (0, 3));
