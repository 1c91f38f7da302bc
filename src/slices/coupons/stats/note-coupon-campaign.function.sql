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
