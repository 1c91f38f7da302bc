-- The service is locked against a change of its type until the association is there to follow it.
CREATE OR REPLACE FUNCTION "take_service_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT "type" INTO NEW."service_type" FROM "services"
     WHERE "company_id" = NEW."company_id" AND "id" = NEW."service_id" FOR SHARE;
    -- The foreign key tells of a service that does not exist.
    NEW."service_type" := coalesce(NEW."service_type", 0);
    RETURN NEW;
END
$$;
