-- Every row keeps these checks, whoever writes it.

ALTER TABLE "coupons"
    ADD CONSTRAINT "coupons_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "coupons_type_check" CHECK ("type" IN ('personal', 'batch', 'promo', 'gift_card')),
    ADD CONSTRAINT "coupons_promo_code_check" CHECK (("type" = 'batch') = ("promo_code" IS NOT NULL) AND "promo_code" ~ '^[0-9A-Za-z]{5,20}$'),
    ADD CONSTRAINT "coupons_status_check" CHECK ("status" IN ('pending', 'generating', 'ready', 'running', 'finished')),
    ADD CONSTRAINT "coupons_amounts_check" CHECK ("price_e2" >= 0 AND "min_purchase_e2" >= 0 AND "price_prc" BETWEEN 0 AND 1),
    ADD CONSTRAINT "coupons_uploaded_count_check" CHECK ("uploaded_count" BETWEEN 0 AND "total_count"),
    ADD CONSTRAINT "coupons_counts_check" CHECK ("spent_count" >= 0 AND "held_count" >= 0 AND "voided_count" >= 0 AND "spent_count"::bigint + "held_count" + "voided_count" <= "total_count"),
    ADD CONSTRAINT "coupons_given_check" CHECK ("spent_amount_e2" >= 0 AND "held_amount_e2" >= 0),
    ADD CONSTRAINT "coupons_generated_count_check" CHECK ("generated_count" BETWEEN 0 AND "total_count"),
    ADD CONSTRAINT "coupons_code_length_check" CHECK ("code_length" BETWEEN 5 AND 20),
    ADD CONSTRAINT "coupons_ends_at_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "coupons_applies_to_check" CHECK ("applies_to" IN ('total', 'subtotal', 'base_price', 'service', 'delivery')),
    ADD CONSTRAINT "coupons_target_type_check" CHECK ("target_type" IN ('company', 'city', 'branch_group', 'branch', 'good')),
    ADD CONSTRAINT "coupons_config_check" CHECK (jsonb_typeof("config") = 'object'),
    ADD CONSTRAINT "coupons_loop_config_check" CHECK (jsonb_typeof("loop_config") = 'object');

ALTER TABLE "coupon_codes"
    ADD CONSTRAINT "coupon_codes_code_check" CHECK ("code" ~ '^[0-9A-Z]{5,20}$'),
    ADD CONSTRAINT "coupon_codes_voided_at_check" CHECK ("used_at" IS NULL OR "voided_at" IS NULL);

ALTER TABLE "coupon_code_uploads"
    ADD CONSTRAINT "coupon_code_uploads_status_check" CHECK ("status" IN ('queued', 'running', 'finished', 'failed')),
    ADD CONSTRAINT "coupon_code_uploads_action_check" CHECK ("action" IN ('add', 'void')),
    ADD CONSTRAINT "coupon_code_uploads_file_name_check" CHECK (char_length("file_name") <= 255),
    ADD CONSTRAINT "coupon_code_uploads_counts_check" CHECK ("added" >= 0 AND "failed" >= 0 AND "added" + "failed" = "total" AND "next_line" >= 1),
    ADD CONSTRAINT "coupon_code_uploads_file_read_check" CHECK ("file_read" BETWEEN 0 AND 1),
    ADD CONSTRAINT "coupon_code_uploads_errors_check" CHECK (jsonb_typeof("errors") = 'array');

ALTER TABLE "coupon_redemptions"
    ADD CONSTRAINT "coupon_redemptions_amounts_check" CHECK ("amount_e2" >= 0 AND "company_amount_e2" BETWEEN 0 AND "amount_e2"),
    ADD CONSTRAINT "coupon_redemptions_returned_check" CHECK ("returned_amount_e2" >= 0 AND "returned_company_amount_e2" BETWEEN 0 AND "returned_amount_e2");

ALTER TABLE "coupon_holds"
    ADD CONSTRAINT "coupon_holds_amounts_check" CHECK ("amount_e2" >= 0 AND "company_amount_e2" BETWEEN 0 AND "amount_e2");

ALTER TABLE "coupon_attempts"
    ADD CONSTRAINT "coupon_attempts_action_check" CHECK ("action" IN ('use', 'hold')),
    ADD CONSTRAINT "coupon_attempts_texts_check" CHECK (char_length("code") <= 20 AND char_length("reason") <= 64 AND char_length("detail") <= 500);

ALTER TABLE "campaigns"
    ADD CONSTRAINT "campaigns_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "campaigns_budget_check" CHECK ("budget_e2" > 0);

ALTER TABLE "coupon_use_sums"
    ADD CONSTRAINT "coupon_use_sums_level_check" CHECK ("level" IN ('all', 'type', 'campaign', 'branch', 'coupon'));

ALTER TABLE "coupon_use_changes"
    ADD CONSTRAINT "coupon_use_changes_kind_check" CHECK ("kind" IN ('given_back', 'reported', 'campaign'));

ALTER TABLE "coupon_use_facts"
    ADD CONSTRAINT "coupon_use_facts_amounts_check" CHECK ("amount_e2" >= 0 AND "company_amount_e2" BETWEEN 0 AND "amount_e2");

-- A use stays as it was written; it is given back at most once, as a whole, and before that in parts: then what it gives and
-- what was given back together stay what they were. Units are noted as given back also of a use that gives nothing any more.
-- The use of a gift card from before movements were kept with uses gets its movement once.
CREATE TRIGGER "coupon_redemptions_append_only" BEFORE DELETE ON "coupon_redemptions"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "coupon_redemptions_returned_once" BEFORE UPDATE ON "coupon_redemptions" FOR EACH ROW
    WHEN (CASE
              WHEN OLD."returned_at" IS NOT NULL THEN
                  OLD."order_id" IS NULL OR to_jsonb(NEW) - 'items' IS DISTINCT FROM to_jsonb(OLD) - 'items'
              WHEN NEW."returned_at" IS NOT NULL THEN
                  (OLD."order_id" IS NULL AND OLD."movement_id" IS NULL)
                  OR to_jsonb(NEW) - '{returned_at,items}'::text[] IS DISTINCT FROM to_jsonb(OLD) - '{returned_at,items}'::text[]
              WHEN OLD."order_id" IS NULL THEN
                  OLD."movement_id" IS NOT NULL OR to_jsonb(NEW) - 'movement_id' IS DISTINCT FROM to_jsonb(OLD) - 'movement_id'
              ELSE
                  NEW."returned_amount_e2" < OLD."returned_amount_e2"
                  OR NEW."returned_company_amount_e2" < OLD."returned_company_amount_e2"
                  OR NEW."amount_e2" + NEW."returned_amount_e2" <> OLD."amount_e2" + OLD."returned_amount_e2"
                  OR NEW."company_amount_e2" + NEW."returned_company_amount_e2"
                     <> OLD."company_amount_e2" + OLD."returned_company_amount_e2"
                  OR to_jsonb(NEW) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[]
                     IS DISTINCT FROM
                     to_jsonb(OLD) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[]
          END)
    EXECUTE FUNCTION "refuse_change"();

-- What reports need of a use stands beside it.
CREATE TRIGGER "coupon_redemptions_fact_new" AFTER INSERT ON "coupon_redemptions"
    FOR EACH ROW EXECUTE FUNCTION "note_coupon_use"();
CREATE TRIGGER "coupon_redemptions_fact_returned" AFTER UPDATE OF "returned_at", "amount_e2" ON "coupon_redemptions"
    FOR EACH ROW EXECUTE FUNCTION "note_coupon_return"();

-- Sums of campaigns do not hold any more when a coupon that was used comes or leaves.
CREATE TRIGGER "coupons_campaign_noted" AFTER UPDATE OF "campaign_id" ON "coupons" FOR EACH ROW
    WHEN (OLD."campaign_id" IS DISTINCT FROM NEW."campaign_id")
    EXECUTE FUNCTION "note_coupon_campaign"();

-- A pause that is over is kept, whoever ends it.
CREATE TRIGGER "coupons_pause_noted" AFTER UPDATE OF "paused_at" ON "coupons" FOR EACH ROW
    WHEN (OLD."paused_at" IS NOT NULL AND NEW."paused_at" IS DISTINCT FROM OLD."paused_at")
    EXECUTE FUNCTION "note_coupon_pause"();

-- A hold that is removed, by any statement, does not count any more.
CREATE TRIGGER "coupon_holds_uncount" AFTER DELETE ON "coupon_holds" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "uncount_coupon_holds"();

-- An order that is deleted gives back the uses that it holds.
CREATE TRIGGER "orders_release_holds" BEFORE DELETE ON "orders"
    FOR EACH ROW EXECUTE FUNCTION "release_holds_of_order"();

-- An order that is canceled gives back its uses and holds.
CREATE TRIGGER "orders_return_uses" AFTER UPDATE OF "status" ON "orders"
    FOR EACH ROW WHEN (NEW."status" = 'canceled' AND OLD."status" <> 'canceled')
    EXECUTE FUNCTION "return_uses_of_order"();

-- The file of an upload is in use as long as its row names it.
CREATE TRIGGER "coupon_code_uploads_file" AFTER INSERT OR DELETE OR UPDATE OF "file_key" ON "coupon_code_uploads" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('file_key');

-- A coupon stands in lists by its number of uses.
CREATE TRIGGER "coupons_rank_new" AFTER INSERT ON "coupons" FOR EACH ROW EXECUTE FUNCTION "rank_coupon"();
CREATE TRIGGER "coupons_rank_used" AFTER UPDATE OF "spent_count" ON "coupons" FOR EACH ROW
    WHEN ("rough_count"(NEW."spent_count") <> "rough_count"(OLD."spent_count"))
    EXECUTE FUNCTION "rank_coupon"();
