CREATE UNIQUE INDEX CONCURRENTLY "coupon_redemptions_movement_key" ON public.coupon_redemptions USING btree (company_id, movement_id) WHERE (movement_id IS NOT NULL);
