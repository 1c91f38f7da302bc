DROP INDEX CONCURRENTLY "goods_company_id_notes_enabled_id_idx";
