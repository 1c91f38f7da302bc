-- No use was given back in parts before, so every row holds; it is read without a lock on the table.
ALTER TABLE "coupon_redemptions" VALIDATE CONSTRAINT "coupon_redemptions_returned_check";
