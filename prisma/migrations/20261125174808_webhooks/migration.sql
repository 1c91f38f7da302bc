-- CreateTable
CREATE TABLE "webhooks" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "actions" TEXT[],
    "query" TEXT,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "author_kind" TEXT NOT NULL,
    "author_id" INTEGER,
    "rotated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "shares_second" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_states" (
    "company_id" INTEGER NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "transaction" BIGINT NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "entry_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_states_pkey" PRIMARY KEY ("company_id","webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "entity_id" BIGINT NOT NULL,
    "fields" TEXT[],
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retry_until" TIMESTAMPTZ(3) NOT NULL,
    "attempted_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "webhooks_company_id_created_at_id_idx" ON "webhooks"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_webhook_id_id_idx" ON "webhook_deliveries"("company_id", "webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_finished_at_idx" ON "webhook_deliveries"("finished_at");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_states" ADD CONSTRAINT "webhook_states_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_states" ADD CONSTRAINT "webhook_states_company_id_webhook_id_fkey" FOREIGN KEY ("company_id", "webhook_id") REFERENCES "webhooks"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_webhook_id_fkey" FOREIGN KEY ("company_id", "webhook_id") REFERENCES "webhooks"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_action_check CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text, 'restored'::text, 'test'::text])));

ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0));

ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_finished_at_check CHECK (((status = 'pending'::text) = (finished_at IS NULL)));

ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_response_body_check CHECK ((char_length(response_body) <= 1024));

ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])));

ALTER TABLE webhook_states ADD CONSTRAINT webhook_states_previous_secret_check CHECK (((previous_secret IS NULL) = (previous_until IS NULL)));

ALTER TABLE webhooks ADD CONSTRAINT webhooks_actions_check CHECK ((actions <@ ARRAY['created'::text, 'updated'::text, 'deleted'::text, 'restored'::text]));

ALTER TABLE webhooks ADD CONSTRAINT webhooks_author_kind_check CHECK (((author_kind = 'platform'::text) = (author_id IS NULL)));

ALTER TABLE webhooks ADD CONSTRAINT webhooks_query_check CHECK ((char_length(query) <= 8000));

ALTER TABLE webhooks ADD CONSTRAINT webhooks_url_check CHECK ((char_length(url) <= 2000));

CREATE TRIGGER webhooks_audit AFTER INSERT OR DELETE OR UPDATE ON public.webhooks FOR EACH ROW EXECUTE FUNCTION audit_row('webhook', '{}', '{}', 'Webhook');

CREATE TRIGGER webhooks_version BEFORE UPDATE OF updated_at, version ON public.webhooks FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE INDEX webhook_deliveries_dead_idx ON public.webhook_deliveries USING btree (finished_at) WHERE (status = 'dead'::text);

CREATE INDEX webhook_deliveries_due_idx ON public.webhook_deliveries USING btree (company_id, webhook_id, next_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_row_idx ON public.webhook_deliveries USING btree (company_id, webhook_id, type, entity_id, id) WHERE (status = 'pending'::text);

COMMENT ON INDEX webhooks_pkey IS 'key of the rows; list Webhook: order by id, filters by id';
COMMENT ON INDEX webhook_states_pkey IS 'key of the rows; relation by webhook_id';
COMMENT ON INDEX webhook_deliveries_pkey IS 'key of the rows; list WebhookDelivery: order by id, filters by id';
COMMENT ON INDEX webhooks_company_id_created_at_id_idx IS 'list Webhook: order by created_at, filters by created_at';
COMMENT ON INDEX webhook_deliveries_company_id_webhook_id_id_idx IS 'relation by webhook_id';
COMMENT ON INDEX webhook_deliveries_finished_at_idx IS 'Old deliveries are removed by age.';
COMMENT ON INDEX webhook_deliveries_due_idx IS 'relation by webhook_id; Attempts that are due, among the few messages that are not delivered yet.';
COMMENT ON INDEX webhook_deliveries_row_idx IS 'relation by webhook_id; A message waits for earlier ones of its row.';
COMMENT ON INDEX webhook_deliveries_dead_idx IS 'Dead messages are counted for operators.';
