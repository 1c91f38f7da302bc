-- The associations of a service follow its type.
CREATE OR REPLACE FUNCTION "give_service_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "fleet_associations" SET "service_type" = NEW."type"
     WHERE "company_id" = NEW."company_id" AND "service_id" = NEW."id";
    RETURN NULL;
END
$$;
