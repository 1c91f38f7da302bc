DROP INDEX CONCURRENTLY "promoted_banners_company_id_good_id_idx";
