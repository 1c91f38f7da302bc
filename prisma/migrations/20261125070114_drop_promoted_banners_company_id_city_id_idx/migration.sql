DROP INDEX CONCURRENTLY "promoted_banners_company_id_city_id_idx";
