-- The codes that are there are looked at while others are used.
ALTER TABLE "coupon_codes" VALIDATE CONSTRAINT "coupon_codes_voided_at_check";
