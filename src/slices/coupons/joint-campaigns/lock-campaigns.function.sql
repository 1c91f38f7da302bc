-- Locks the campaigns that coupons belong to, in the order of their ids, before any of the coupons is locked. Whoever takes of
-- a campaign's budget holds that lock, so takers wait for one another and each sees what the others took.
CREATE OR REPLACE FUNCTION "lock_campaigns"(_company integer, _coupons integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "campaigns"
      WHERE "company_id" = _company AND "id" IN (
          SELECT "campaign_id" FROM "coupons"
           WHERE "company_id" = _company AND "id" = ANY (_coupons) AND "campaign_id" IS NOT NULL
      )
      ORDER BY "id" FOR NO KEY UPDATE;
END
$$;
