-- AlterTable
ALTER TABLE "coupon_simulations" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

CREATE TRIGGER coupon_simulations_version BEFORE UPDATE OF updated_at, version ON public.coupon_simulations FOR EACH ROW EXECUTE FUNCTION move_version();
