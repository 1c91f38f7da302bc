-- AlterTable
ALTER TABLE "goods" ADD COLUMN     "compare_at_price_e2" BIGINT;

ALTER TABLE goods ADD CONSTRAINT goods_compare_at_price_e2_check CHECK ((compare_at_price_e2 >= 0)) NOT VALID;
