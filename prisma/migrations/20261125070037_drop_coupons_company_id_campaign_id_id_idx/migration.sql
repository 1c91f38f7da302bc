DROP INDEX CONCURRENTLY "coupons_company_id_campaign_id_id_idx";
