-- Few uses are given back, and they are looked for by when that was.
CREATE INDEX CONCURRENTLY "coupon_redemptions_returned_at_idx" ON "coupon_redemptions"("company_id", "returned_at", "id") WHERE "returned_at" IS NOT NULL;
