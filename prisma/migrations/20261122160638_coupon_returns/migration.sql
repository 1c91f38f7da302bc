DROP TRIGGER coupon_redemptions_append_only ON coupon_redemptions;

-- AlterTable
ALTER TABLE "coupon_redemptions" ADD COLUMN     "items" JSONB,
ADD COLUMN     "returned_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "coupon_version" INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER coupon_redemptions_append_only BEFORE DELETE ON public.coupon_redemptions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER coupon_redemptions_returned_once BEFORE UPDATE ON public.coupon_redemptions FOR EACH ROW WHEN (((old.returned_at IS NOT NULL) OR (new.returned_at IS NULL) OR (old.order_id IS NULL) OR ((to_jsonb(new.*) - 'returned_at'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'returned_at'::text)))) EXECUTE FUNCTION refuse_change();
