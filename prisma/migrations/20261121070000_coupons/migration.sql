-- CreateTable
CREATE TABLE "balance_holders" (
    "company_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "key" INTEGER NOT NULL,
    "currency_iso" TEXT NOT NULL,
    "balance_e2" BIGINT NOT NULL,
    "movement_count" INTEGER NOT NULL,

    CONSTRAINT "balance_holders_pkey" PRIMARY KEY ("company_id","type","key","currency_iso")
);

-- CreateTable
CREATE TABLE "balance_movements" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "holder_type" TEXT NOT NULL,
    "holder_key" INTEGER NOT NULL,
    "currency_iso" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "initial_balance_e2" BIGINT NOT NULL,
    "amount_e2" BIGINT NOT NULL,
    "final_balance_e2" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "author_id" INTEGER,
    "related_type" TEXT,
    "related_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "balance_movements_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "company_events" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'coupon_gen',
    "status" TEXT NOT NULL DEFAULT 'pending',
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "config" JSONB NOT NULL DEFAULT '{}',
    "seed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "company_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "company_event_prizes" (
    "company_id" INTEGER NOT NULL,
    "company_event_id" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "max_count" INTEGER NOT NULL,
    "won_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "company_event_prizes_pkey" PRIMARY KEY ("company_id","company_event_id","place")
);

-- CreateTable
CREATE TABLE "company_event_players" (
    "company_id" INTEGER NOT NULL,
    "company_event_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,
    "draw_count" INTEGER NOT NULL DEFAULT 0,
    "won_at" TIMESTAMPTZ(3),

    CONSTRAINT "company_event_players_pkey" PRIMARY KEY ("company_id","company_event_id","client_id")
);

-- CreateTable
CREATE TABLE "company_event_draws" (
    "company_id" INTEGER NOT NULL,
    "company_event_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "drawn_at" TIMESTAMPTZ(3) NOT NULL,
    "place" INTEGER,
    "prize_number" INTEGER,
    "coupon_id" INTEGER,

    CONSTRAINT "company_event_draws_pkey" PRIMARY KEY ("company_id","company_event_id","id")
);

-- CreateTable
CREATE TABLE "coupons" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "promo_code" TEXT,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "price_e2" BIGINT NOT NULL DEFAULT 0,
    "price_prc" DECIMAL(7,4) NOT NULL DEFAULT 0,
    "min_purchase_e2" BIGINT NOT NULL DEFAULT 0,
    "total_count" INTEGER NOT NULL,
    "spent_count" INTEGER NOT NULL DEFAULT 0,
    "held_count" INTEGER NOT NULL DEFAULT 0,
    "spent_amount_e2" BIGINT NOT NULL DEFAULT 0,
    "held_amount_e2" BIGINT NOT NULL DEFAULT 0,
    "generated_count" INTEGER NOT NULL DEFAULT 0,
    "code_length" INTEGER,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "branch_id" INTEGER,
    "branch_group_id" INTEGER,
    "applies_to" TEXT NOT NULL DEFAULT 'subtotal',
    "target_type" TEXT NOT NULL DEFAULT 'company',
    "config" JSONB NOT NULL DEFAULT '{}',
    "whitelist" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "loop_config" JSONB,
    "company_event_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "coupons_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "coupon_branch_groups" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "branch_group_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_branch_groups_pkey" PRIMARY KEY ("company_id","coupon_id","branch_group_id")
);

-- CreateTable
CREATE TABLE "coupon_branches" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_branches_pkey" PRIMARY KEY ("company_id","coupon_id","branch_id")
);

-- CreateTable
CREATE TABLE "coupon_codes" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_codes_pkey" PRIMARY KEY ("company_id","coupon_id","id")
);

-- CreateTable
CREATE TABLE "coupon_redemptions" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "code" TEXT,
    "client_id" INTEGER,
    "order_id" INTEGER,
    "amount_e2" BIGINT NOT NULL,
    "company_amount_e2" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_redemptions_pkey" PRIMARY KEY ("company_id","coupon_id","id")
);

-- CreateTable
CREATE TABLE "coupon_holds" (
    "company_id" INTEGER NOT NULL,
    "coupon_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "code" TEXT,
    "client_id" INTEGER,
    "order_id" INTEGER NOT NULL,
    "amount_e2" BIGINT NOT NULL,
    "company_amount_e2" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_holds_pkey" PRIMARY KEY ("company_id","coupon_id","id")
);

-- CreateIndex
CREATE INDEX "balance_movements_company_id_related_type_related_id_idx" ON "balance_movements"("company_id", "related_type", "related_id");

-- CreateIndex
CREATE INDEX "balance_movements_company_id_author_id_idx" ON "balance_movements"("company_id", "author_id");

-- CreateIndex
CREATE UNIQUE INDEX "balance_movements_company_id_holder_type_holder_key_currenc_key" ON "balance_movements"("company_id", "holder_type", "holder_key", "currency_iso", "number");

-- CreateIndex
CREATE INDEX "company_events_company_id_name_id_idx" ON "company_events"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "company_events_company_id_created_at_id_idx" ON "company_events"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "company_events_company_id_starts_at_id_idx" ON "company_events"("company_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "company_events_company_id_ends_at_id_idx" ON "company_events"("company_id", "ends_at", "id");

-- CreateIndex
CREATE INDEX "company_events_company_id_status_id_idx" ON "company_events"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "company_event_players_company_id_client_id_idx" ON "company_event_players"("company_id", "client_id");

-- CreateIndex
CREATE INDEX "company_event_draws_company_id_client_id_idx" ON "company_event_draws"("company_id", "client_id");

-- CreateIndex
CREATE INDEX "company_event_draws_company_id_coupon_id_idx" ON "company_event_draws"("company_id", "coupon_id");

-- CreateIndex
CREATE UNIQUE INDEX "company_event_draws_company_id_company_event_id_client_id_n_key" ON "company_event_draws"("company_id", "company_event_id", "client_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "company_event_draws_company_id_company_event_id_place_prize_key" ON "company_event_draws"("company_id", "company_event_id", "place", "prize_number");

-- CreateIndex
CREATE INDEX "coupons_company_id_name_id_idx" ON "coupons"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_created_at_id_idx" ON "coupons"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_starts_at_id_idx" ON "coupons"("company_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_ends_at_id_idx" ON "coupons"("company_id", "ends_at", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_status_type_id_idx" ON "coupons"("company_id", "status", "type", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_branch_id_id_idx" ON "coupons"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_branch_group_id_id_idx" ON "coupons"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "coupons_company_id_company_event_id_id_idx" ON "coupons"("company_id", "company_event_id", "id");

-- CreateIndex
CREATE INDEX "coupon_branch_groups_company_id_branch_group_id_idx" ON "coupon_branch_groups"("company_id", "branch_group_id");

-- CreateIndex
CREATE INDEX "coupon_branches_company_id_branch_id_idx" ON "coupon_branches"("company_id", "branch_id");

-- CreateIndex
CREATE INDEX "coupon_codes_company_id_coupon_id_used_at_id_idx" ON "coupon_codes"("company_id", "coupon_id", "used_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "coupon_codes_company_id_code_key" ON "coupon_codes"("company_id", "code");

-- CreateIndex
CREATE INDEX "coupon_redemptions_company_id_coupon_id_client_id_idx" ON "coupon_redemptions"("company_id", "coupon_id", "client_id");

-- CreateIndex
CREATE INDEX "coupon_redemptions_company_id_client_id_idx" ON "coupon_redemptions"("company_id", "client_id");

-- CreateIndex
CREATE INDEX "coupon_redemptions_company_id_order_id_idx" ON "coupon_redemptions"("company_id", "order_id");

-- CreateIndex
CREATE UNIQUE INDEX "coupon_redemptions_company_id_coupon_id_order_id_key" ON "coupon_redemptions"("company_id", "coupon_id", "order_id");

-- CreateIndex
CREATE INDEX "coupon_holds_company_id_coupon_id_expires_at_idx" ON "coupon_holds"("company_id", "coupon_id", "expires_at");

-- CreateIndex
CREATE INDEX "coupon_holds_company_id_coupon_id_client_id_idx" ON "coupon_holds"("company_id", "coupon_id", "client_id");

-- CreateIndex
CREATE INDEX "coupon_holds_company_id_client_id_idx" ON "coupon_holds"("company_id", "client_id");

-- CreateIndex
CREATE INDEX "coupon_holds_company_id_order_id_idx" ON "coupon_holds"("company_id", "order_id");

-- CreateIndex
CREATE UNIQUE INDEX "coupon_holds_company_id_coupon_id_order_id_key" ON "coupon_holds"("company_id", "coupon_id", "order_id");

-- AddForeignKey
ALTER TABLE "balance_holders" ADD CONSTRAINT "balance_holders_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_movements" ADD CONSTRAINT "balance_movements_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_movements" ADD CONSTRAINT "balance_movements_company_id_holder_type_holder_key_curren_fkey" FOREIGN KEY ("company_id", "holder_type", "holder_key", "currency_iso") REFERENCES "balance_holders"("company_id", "type", "key", "currency_iso") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "balance_movements" ADD CONSTRAINT "balance_movements_company_id_author_id_fkey" FOREIGN KEY ("company_id", "author_id") REFERENCES "admins"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_events" ADD CONSTRAINT "company_events_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_prizes" ADD CONSTRAINT "company_event_prizes_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_prizes" ADD CONSTRAINT "company_event_prizes_company_id_company_event_id_fkey" FOREIGN KEY ("company_id", "company_event_id") REFERENCES "company_events"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_players" ADD CONSTRAINT "company_event_players_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_players" ADD CONSTRAINT "company_event_players_company_id_company_event_id_fkey" FOREIGN KEY ("company_id", "company_event_id") REFERENCES "company_events"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_players" ADD CONSTRAINT "company_event_players_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_draws" ADD CONSTRAINT "company_event_draws_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_draws" ADD CONSTRAINT "company_event_draws_company_id_company_event_id_fkey" FOREIGN KEY ("company_id", "company_event_id") REFERENCES "company_events"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_draws" ADD CONSTRAINT "company_event_draws_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_event_draws" ADD CONSTRAINT "company_event_draws_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_company_id_company_event_id_fkey" FOREIGN KEY ("company_id", "company_event_id") REFERENCES "company_events"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branch_groups" ADD CONSTRAINT "coupon_branch_groups_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branch_groups" ADD CONSTRAINT "coupon_branch_groups_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branch_groups" ADD CONSTRAINT "coupon_branch_groups_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branches" ADD CONSTRAINT "coupon_branches_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branches" ADD CONSTRAINT "coupon_branches_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_branches" ADD CONSTRAINT "coupon_branches_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_codes" ADD CONSTRAINT "coupon_codes_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_codes" ADD CONSTRAINT "coupon_codes_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_holds" ADD CONSTRAINT "coupon_holds_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_holds" ADD CONSTRAINT "coupon_holds_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_holds" ADD CONSTRAINT "coupon_holds_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_holds" ADD CONSTRAINT "coupon_holds_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What no write may break, whoever makes it.
ALTER TABLE "coupons"
    ADD CONSTRAINT "coupons_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "coupons_type_check" CHECK ("type" IN ('personal', 'batch', 'promo', 'gift_card')),
    ADD CONSTRAINT "coupons_promo_code_check" CHECK (("type" = 'batch') = ("promo_code" IS NOT NULL) AND "promo_code" ~ '^[0-9A-Za-z]{5,20}$'),
    ADD CONSTRAINT "coupons_status_check" CHECK ("status" IN ('pending', 'generating', 'ready', 'running', 'finished')),
    ADD CONSTRAINT "coupons_amounts_check" CHECK ("price_e2" >= 0 AND "min_purchase_e2" >= 0 AND "price_prc" BETWEEN 0 AND 1),
    ADD CONSTRAINT "coupons_counts_check" CHECK ("spent_count" >= 0 AND "held_count" >= 0 AND "spent_count"::bigint + "held_count" <= "total_count"),
    ADD CONSTRAINT "coupons_given_check" CHECK ("spent_amount_e2" >= 0 AND "held_amount_e2" >= 0),
    ADD CONSTRAINT "coupons_generated_count_check" CHECK ("generated_count" BETWEEN 0 AND "total_count"),
    ADD CONSTRAINT "coupons_code_length_check" CHECK ("code_length" BETWEEN 5 AND 20),
    ADD CONSTRAINT "coupons_ends_at_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "coupons_applies_to_check" CHECK ("applies_to" IN ('total', 'subtotal', 'base_price', 'service', 'delivery')),
    ADD CONSTRAINT "coupons_target_type_check" CHECK ("target_type" IN ('company', 'city', 'branch_group', 'branch', 'good')),
    ADD CONSTRAINT "coupons_config_check" CHECK (jsonb_typeof("config") = 'object'),
    ADD CONSTRAINT "coupons_loop_config_check" CHECK (jsonb_typeof("loop_config") = 'object');

ALTER TABLE "coupon_codes"
    ADD CONSTRAINT "coupon_codes_code_check" CHECK ("code" ~ '^[0-9A-Z]{5,20}$');

ALTER TABLE "coupon_redemptions"
    ADD CONSTRAINT "coupon_redemptions_amounts_check" CHECK ("amount_e2" >= 0 AND "company_amount_e2" BETWEEN 0 AND "amount_e2");

ALTER TABLE "coupon_holds"
    ADD CONSTRAINT "coupon_holds_amounts_check" CHECK ("amount_e2" >= 0 AND "company_amount_e2" BETWEEN 0 AND "amount_e2");

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

ALTER TABLE "balance_holders"
    ADD CONSTRAINT "balance_holders_type_check" CHECK ("type" IN ('account', 'client', 'provider', 'branch', 'company', 'city')),
    ADD CONSTRAINT "balance_holders_key_check" CHECK ("key" >= 1),
    ADD CONSTRAINT "balance_holders_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8),
    ADD CONSTRAINT "balance_holders_movement_count_check" CHECK ("movement_count" >= 1);

ALTER TABLE "balance_movements"
    ADD CONSTRAINT "balance_movements_number_check" CHECK ("number" >= 1),
    ADD CONSTRAINT "balance_movements_final_balance_e2_check" CHECK ("final_balance_e2" = "initial_balance_e2" + "amount_e2"),
    ADD CONSTRAINT "balance_movements_description_check" CHECK (char_length("description") <= 128);

-- A use and a movement stay as they were written.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "balance_movements_append_only" BEFORE UPDATE OR DELETE ON "balance_movements"
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "coupon_redemptions_append_only" BEFORE UPDATE OR DELETE ON "coupon_redemptions"
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
