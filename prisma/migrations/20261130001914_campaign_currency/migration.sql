-- Returns the currency of a campaign's budget.
CREATE OR REPLACE FUNCTION "campaign_currency"(_company integer, _campaign integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT "currency_iso" FROM "campaigns" WHERE "company_id" = _company AND "id" = _campaign);
END
$$;
