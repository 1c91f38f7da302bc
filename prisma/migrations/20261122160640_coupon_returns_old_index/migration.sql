-- The index of the migration before has taken its place.
DROP INDEX "coupon_redemptions_company_id_coupon_id_order_id_key";
