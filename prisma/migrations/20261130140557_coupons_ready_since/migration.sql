DROP TRIGGER coupons_audit ON coupons;

-- AlterTable
ALTER TABLE "coupons" ADD COLUMN     "ready_at" TIMESTAMPTZ(3);

CREATE TRIGGER coupons_audit AFTER INSERT OR DELETE OR UPDATE OF company_id, id, name, external_id, promo_code, type, status, price_e2, price_prc, min_purchase_e2, total_count, generated_count, voided_count, uploaded_count, code_length, starts_at, ends_at, paused_at, branch_id, branch_group_id, applies_to, target_type, config, currency_iso, ready_at, whitelist, loop_config, campaign_id, company_event_id, created_at, updated_at, version, shares_second, deleted_at ON public.coupons FOR EACH ROW EXECUTE FUNCTION audit_row('coupon', '{}', '{}', 'Coupon');
