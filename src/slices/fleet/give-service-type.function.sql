-- The associations of a service follow its type; that moves their versions, as any change of what they show.
CREATE OR REPLACE FUNCTION "give_service_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "fleet_associations" SET "service_type" = NEW."type", "updated_at" = now()
     WHERE "company_id" = NEW."company_id" AND "service_id" = NEW."id" AND "service_type" <> NEW."type";
    RETURN NULL;
END
$$;
