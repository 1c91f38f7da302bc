ALTER TABLE "goods" VALIDATE CONSTRAINT "goods_compare_at_price_e2_check";
