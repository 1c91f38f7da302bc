-- Every row keeps these checks, whoever writes it. PostgreSQL reads the text of each CHECK anew in every statement, so that long
-- ones cost a posting more than all its indexes: the triggers below have them instead.

ALTER TABLE "balance_holders"
    ADD CONSTRAINT "balance_holders_movement_count_check" CHECK ("movement_count" >= 0),
    ADD CONSTRAINT "balance_holders_owes_check" CHECK ("owes" = ("balance_e2" < 0)),
    ADD CONSTRAINT "balance_holders_latest_check" CHECK (("movement_count" > 0) = ("last_hash" IS NOT NULL) AND ("last_hash" IS NULL) = ("last_at" IS NULL));

ALTER TABLE "balance_movements"
    ADD CONSTRAINT "balance_movements_number_check" CHECK ("number" >= 1),
    ADD CONSTRAINT "balance_movements_final_balance_e2_check" CHECK ("final_balance_e2" = "initial_balance_e2" + "amount_e2"),
    ADD CONSTRAINT "balance_movements_description_check" CHECK (char_length("description") <= 128),
    ADD CONSTRAINT "balance_movements_related_check" CHECK (("related_type" IS NULL) = ("related_id" IS NULL));

-- What names a holder is checked when it is written, which postings never do.
CREATE TRIGGER "balance_holders_named" BEFORE INSERT OR UPDATE OF "type", "key", "currency_iso" ON "balance_holders"
    FOR EACH ROW EXECUTE FUNCTION "check_holder_name"();

-- A movement stays as it was written, whoever writes. A table that refuses TRUNCATE is written by functions of its owner
-- alone: the service's role may only read it.
CREATE TRIGGER "balance_movements_append_only" BEFORE UPDATE OR DELETE ON "balance_movements"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "balance_holders_not_emptied" BEFORE TRUNCATE ON "balance_holders"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "balance_movements_not_emptied" BEFORE TRUNCATE ON "balance_movements"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A movement is whole, and it and its counterpart, which is written by the same statement or was there, cancel each other out.
CREATE TRIGGER "balance_movements_sides" AFTER INSERT ON "balance_movements"
    FOR EACH ROW EXECUTE FUNCTION "check_transfer_sides"();

ALTER TABLE "balance_accounts"
    ADD CONSTRAINT "balance_accounts_name_check" CHECK ("name" ~ '^[a-z_]{1,32}$'),
    ADD CONSTRAINT "balance_accounts_id_check" CHECK ("id" BETWEEN 1 AND 1000000);
CREATE TRIGGER "balance_accounts_kept" BEFORE UPDATE OR DELETE ON "balance_accounts"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "balance_accounts_not_emptied" BEFORE TRUNCATE ON "balance_accounts"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "balance_type_floors"
    ADD CONSTRAINT "balance_type_floors_type_check" CHECK ("type" IN ('account', 'client', 'provider', 'branch', 'company', 'city')),
    ADD CONSTRAINT "balance_type_floors_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8);

-- A period stays closed.
CREATE TRIGGER "balance_periods_kept" BEFORE UPDATE OR DELETE ON "balance_periods"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "balance_periods_not_emptied" BEFORE TRUNCATE ON "balance_periods"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Sums of movements are written by sum_movements alone.
CREATE TRIGGER "balance_hours_not_emptied" BEFORE TRUNCATE ON "balance_hours"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "balance_hour_ends_not_emptied" BEFORE TRUNCATE ON "balance_hour_ends"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
