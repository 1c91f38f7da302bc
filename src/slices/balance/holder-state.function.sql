-- Says whether what the type and key of a holder name is `there` or `deleted`; nothing when the company has no such row. With
-- `_is_new` the row is kept from being deleted until the transaction ends: its deletion would not see a holder that is made
-- meanwhile.
CREATE OR REPLACE FUNCTION "holder_state"(_company integer, _type text, _key integer, _is_new boolean) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    _deleted boolean;
BEGIN
    CASE _type
        WHEN 'company' THEN
            RETURN CASE WHEN _key = _company THEN 'there' END;
        WHEN 'client' THEN
            IF _is_new THEN PERFORM FROM "clients" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT "deleted_at" IS NOT NULL INTO _deleted FROM "clients" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'provider' THEN
            IF _is_new THEN PERFORM FROM "providers" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "providers" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'account' THEN
            IF _is_new THEN PERFORM FROM "admins" WHERE "company_id" = _company AND "account_id" = _key FOR SHARE; END IF;
            SELECT bool_and("deleted_at" IS NOT NULL) INTO _deleted FROM "admins"
             WHERE "company_id" = _company AND "account_id" = _key;
        WHEN 'branch' THEN
            IF _is_new THEN PERFORM FROM "branches" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "branches" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'city' THEN
            IF _is_new THEN PERFORM FROM "cities" WHERE "company_id" = _company AND "id" = _key FOR SHARE; END IF;
            SELECT false INTO _deleted FROM "cities" WHERE "company_id" = _company AND "id" = _key;
        ELSE
            RETURN NULL;
    END CASE;
    RETURN CASE WHEN _deleted THEN 'deleted' WHEN NOT _deleted THEN 'there' END;
END
$$;
