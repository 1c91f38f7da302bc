-- Every row keeps these checks, whoever writes it.

ALTER TABLE "balance_holders"
    ADD CONSTRAINT "balance_holders_type_check" CHECK ("type" IN ('account', 'client', 'provider', 'branch', 'company', 'city')),
    ADD CONSTRAINT "balance_holders_key_check" CHECK ("key" >= 1),
    ADD CONSTRAINT "balance_holders_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8),
    ADD CONSTRAINT "balance_holders_movement_count_check" CHECK ("movement_count" >= 1);

ALTER TABLE "balance_movements"
    ADD CONSTRAINT "balance_movements_number_check" CHECK ("number" >= 1),
    ADD CONSTRAINT "balance_movements_final_balance_e2_check" CHECK ("final_balance_e2" = "initial_balance_e2" + "amount_e2"),
    ADD CONSTRAINT "balance_movements_description_check" CHECK (char_length("description") <= 128);

-- A movement stays as it was written.
CREATE TRIGGER "balance_movements_append_only" BEFORE UPDATE OR DELETE ON "balance_movements"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
