ALTER INDEX "coupons_company_id_deleted_at_id_idx_new" RENAME TO "coupons_company_id_deleted_at_id_idx";
ALTER INDEX "goods_company_id_deleted_at_id_idx_new" RENAME TO "goods_company_id_deleted_at_id_idx";
