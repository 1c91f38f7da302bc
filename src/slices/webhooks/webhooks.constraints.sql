-- Every row keeps these checks, whoever writes it.

ALTER TABLE "webhooks"
    ADD CONSTRAINT "webhooks_url_check" CHECK (char_length("url") <= 2000),
    ADD CONSTRAINT "webhooks_query_check" CHECK (char_length("query") <= 8000),
    ADD CONSTRAINT "webhooks_actions_check" CHECK ("actions" <@ ARRAY['created', 'updated', 'deleted', 'restored']),
    ADD CONSTRAINT "webhooks_author_kind_check" CHECK (("author_kind" = 'platform') = ("author_id" IS NULL));

ALTER TABLE "webhook_states"
    ADD CONSTRAINT "webhook_states_previous_secret_check" CHECK (("previous_secret" IS NULL) = ("previous_until" IS NULL));

ALTER TABLE "webhook_deliveries"
    ADD CONSTRAINT "webhook_deliveries_action_check" CHECK ("action" IN ('created', 'updated', 'deleted', 'restored', 'test')),
    ADD CONSTRAINT "webhook_deliveries_status_check" CHECK ("status" IN ('pending', 'delivered', 'dead')),
    ADD CONSTRAINT "webhook_deliveries_attempts_check" CHECK ("attempts" >= 0),
    ADD CONSTRAINT "webhook_deliveries_response_body_check" CHECK (char_length("response_body") <= 1024),
    ADD CONSTRAINT "webhook_deliveries_finished_at_check" CHECK (("status" = 'pending') = ("finished_at" IS NULL));
