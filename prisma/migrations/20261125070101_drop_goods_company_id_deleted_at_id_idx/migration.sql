DROP INDEX CONCURRENTLY "goods_company_id_deleted_at_id_idx";
