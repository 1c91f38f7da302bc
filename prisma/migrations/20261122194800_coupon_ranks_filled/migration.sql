-- Coupons that were there before the triggers. Uses go on meanwhile: what one of them has noted by then is newer.
INSERT INTO "coupon_ranks" ("company_id", "coupon_id", "uses")
SELECT "company_id", "id", "rough_count"("spent_count") FROM "coupons"
ON CONFLICT DO NOTHING;
