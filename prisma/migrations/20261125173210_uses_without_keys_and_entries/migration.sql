DROP TRIGGER coupons_audit ON coupons;

DROP TRIGGER orders_audit ON orders;

-- DropForeignKey
ALTER TABLE "coupon_redemptions" DROP CONSTRAINT "coupon_redemptions_company_id_fkey";

-- DropForeignKey
ALTER TABLE "coupon_use_facts" DROP CONSTRAINT "coupon_use_facts_company_id_coupon_id_use_id_fkey";

-- DropForeignKey
ALTER TABLE "coupon_use_facts" DROP CONSTRAINT "coupon_use_facts_company_id_fkey";


CREATE TRIGGER coupons_audit AFTER INSERT OR DELETE OR UPDATE OF company_id, id, name, promo_code, type, status, price_e2, price_prc, min_purchase_e2, total_count, generated_count, voided_count, uploaded_count, code_length, starts_at, ends_at, paused_at, branch_id, branch_group_id, applies_to, target_type, config, currency_iso, whitelist, loop_config, campaign_id, company_event_id, created_at, updated_at, version, shares_second, deleted_at ON public.coupons FOR EACH ROW EXECUTE FUNCTION audit_row('coupon', '{}', '{}', 'Coupon');

CREATE TRIGGER orders_audit AFTER INSERT OR DELETE OR UPDATE OF company_id, id, client_id, branch_id, shopper_id, deliverer_id, shopper_fee_e2, deliverer_fee_e2, subtotal_e2, delivery_e2, total_e2, currency_iso, source, status, created_at, updated_at, version, shares_second ON public.orders FOR EACH ROW EXECUTE FUNCTION audit_row('order', '{}', '{}', 'Order');

COMMENT ON INDEX coupon_use_facts_pkey IS 'key of the rows';
