-- AlterTable
ALTER TABLE "coupon_use_changes" ADD COLUMN     "company_discount_e2" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "coupon_id" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "discount_e2" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'reported',
ADD COLUMN     "returned" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "coupon_use_sums" DROP CONSTRAINT "coupon_use_sums_pkey",
ADD COLUMN     "coupon_type" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "level" TEXT NOT NULL DEFAULT 'all',
ADD COLUMN     "subject_id" INTEGER NOT NULL DEFAULT 0,
ADD CONSTRAINT "coupon_use_sums_pkey" PRIMARY KEY ("company_id", "from_at", "until_at", "level", "subject_id", "coupon_type");

-- Notes for reports that a coupon which was used came to a campaign or left one: see kept-use-sums.service.ts.
CREATE OR REPLACE FUNCTION "note_coupon_campaign"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "coupon_use_changes" ("company_id", "kind", "coupon_id", "used_at")
    SELECT NEW."company_id", 'campaign', NEW."id", clock_timestamp()
     WHERE EXISTS (
         SELECT FROM "coupon_use_facts" f WHERE f."company_id" = NEW."company_id" AND f."coupon_id" = NEW."id");
    RETURN NULL;
END
$$;

-- Notes for reports that a use was given back, as a whole or in part.
CREATE OR REPLACE FUNCTION "note_coupon_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupon_use_facts"
       SET "returned_at" = NEW."returned_at", "amount_e2" = NEW."amount_e2", "company_amount_e2" = NEW."company_amount_e2"
     WHERE "company_id" = NEW."company_id" AND "coupon_id" = NEW."coupon_id" AND "use_id" = NEW."id";
    -- The use may be in sums that are kept already, which change by that: see kept-use-sums.service.ts.
    IF NEW."created_at" < clock_timestamp() - interval '30 minutes' THEN
        INSERT INTO "coupon_use_changes"
            ("company_id", "kind", "coupon_id", "used_at", "returned", "discount_e2", "company_discount_e2")
        VALUES (NEW."company_id", 'given_back', NEW."coupon_id", NEW."created_at",
                (NEW."returned_at" IS NOT NULL)::integer - (OLD."returned_at" IS NOT NULL)::integer,
                CASE WHEN NEW."returned_at" IS NULL THEN NEW."amount_e2" ELSE 0 END
                    - CASE WHEN OLD."returned_at" IS NULL THEN OLD."amount_e2" ELSE 0 END,
                CASE WHEN NEW."returned_at" IS NULL THEN NEW."company_amount_e2" ELSE 0 END
                    - CASE WHEN OLD."returned_at" IS NULL THEN OLD."company_amount_e2" ELSE 0 END);
    END IF;
    RETURN NULL;
END
$$;

-- Writes what reports need of a new use. The subtotal of an order that has its total alone is that without the delivery.
-- Whoever writes the first use of a client holds a lock of that client until the end. Nobody waits for it: a use that is written
-- meanwhile has a rival, and reports find out which of them was the first.
-- The order is read by a statement of its own: to insert from a join takes twice as long for each use.
CREATE OR REPLACE FUNCTION "note_coupon_use"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_new boolean := NEW."client_id" IS NOT NULL AND NOT EXISTS (
        SELECT FROM "coupon_use_facts" f
         WHERE f."company_id" = NEW."company_id" AND f."client_id" = NEW."client_id" AND f."is_new");
    has_rival boolean := false;
    branch integer;
    currency text;
    subtotal bigint;
BEGIN
    IF is_new THEN
        has_rival := NOT pg_try_advisory_xact_lock(
            hashtextextended('coupon_use_facts:' || NEW."company_id" || ':' || NEW."client_id", 0));
        -- Whoever held the lock before may have committed since the look above.
        is_new := NOT EXISTS (
            SELECT FROM "coupon_use_facts" f
             WHERE f."company_id" = NEW."company_id" AND f."client_id" = NEW."client_id" AND f."is_new");
    END IF;
    SELECT o."branch_id", o."currency_iso",
           CASE WHEN o."subtotal_e2" = 0 AND o."total_e2" > o."delivery_e2" THEN o."total_e2" - o."delivery_e2" ELSE o."subtotal_e2" END
      INTO branch, currency, subtotal
      FROM "orders" o WHERE o."company_id" = NEW."company_id" AND o."id" = NEW."order_id";
    INSERT INTO "coupon_use_facts"
        ("company_id", "coupon_id", "use_id", "client_id", "order_id", "branch_id", "currency_iso", "subtotal_e2", "amount_e2",
         "company_amount_e2", "is_new", "has_rival", "created_at", "returned_at")
    VALUES (NEW."company_id", NEW."coupon_id", NEW."id", NEW."client_id", NEW."order_id", branch, currency, coalesce(subtotal, 0),
            NEW."amount_e2", NEW."company_amount_e2", is_new, is_new AND has_rival, NEW."created_at", NEW."returned_at");
    -- The use may be in sums that are kept already: see kept-use-sums.service.ts.
    IF NEW."created_at" < clock_timestamp() - interval '30 minutes' THEN
        INSERT INTO "coupon_use_changes" ("company_id", "kind", "coupon_id", "used_at")
        VALUES (NEW."company_id", 'reported', NEW."coupon_id", NEW."created_at");
    END IF;
    RETURN NULL;
END
$$;

ALTER TABLE coupon_use_changes ADD CONSTRAINT coupon_use_changes_kind_check CHECK ((kind = ANY (ARRAY['given_back'::text, 'reported'::text, 'campaign'::text])));

ALTER TABLE coupon_use_sums ADD CONSTRAINT coupon_use_sums_level_check CHECK ((level = ANY (ARRAY['all'::text, 'type'::text, 'campaign'::text, 'coupon'::text])));

CREATE TRIGGER coupons_campaign_noted AFTER UPDATE OF campaign_id ON public.coupons FOR EACH ROW WHEN ((old.campaign_id IS DISTINCT FROM new.campaign_id)) EXECUTE FUNCTION note_coupon_campaign();


COMMENT ON INDEX coupon_use_sums_pkey IS 'key of the rows';
