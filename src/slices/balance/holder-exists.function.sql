-- Whether what the type and key of a holder name is a row of the company, deleted or not.
CREATE OR REPLACE FUNCTION "holder_exists"(_company integer, _type text, _key integer) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    CASE _type
        WHEN 'company' THEN RETURN _key = _company;
        WHEN 'account' THEN PERFORM FROM "admins" WHERE "company_id" = _company AND "account_id" = _key;
        WHEN 'client' THEN PERFORM FROM "clients" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'provider' THEN PERFORM FROM "providers" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'branch' THEN PERFORM FROM "branches" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'city' THEN PERFORM FROM "cities" WHERE "company_id" = _company AND "id" = _key;
        ELSE RETURN false;
    END CASE;
    RETURN FOUND;
END
$$;
