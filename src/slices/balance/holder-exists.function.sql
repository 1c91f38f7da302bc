-- Whether what the type and key of a holder name is a row of the company, deleted or not.
CREATE OR REPLACE FUNCTION "holder_exists"(_company integer, _type text, _key integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE _type
        WHEN 'company' THEN _key = _company
        WHEN 'account' THEN EXISTS (SELECT FROM "admins" WHERE "company_id" = _company AND "account_id" = _key)
        WHEN 'client' THEN EXISTS (SELECT FROM "clients" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'provider' THEN EXISTS (SELECT FROM "providers" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'branch' THEN EXISTS (SELECT FROM "branches" WHERE "company_id" = _company AND "id" = _key)
        WHEN 'city' THEN EXISTS (SELECT FROM "cities" WHERE "company_id" = _company AND "id" = _key)
        ELSE false
    END
$$;
