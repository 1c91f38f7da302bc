-- Every row keeps these checks, whoever writes it.

ALTER TABLE "fleets"
    ADD CONSTRAINT "fleets_name_check" CHECK (char_length("name") <= 255);

ALTER TABLE "fleet_associations"
    ADD CONSTRAINT "fleet_associations_in_order_check" CHECK ("in_order" BETWEEN 0 AND 1000000),
    ADD CONSTRAINT "fleet_associations_fee_flat_check" CHECK ("fee_flat_e2" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "fleet_associations_fee_prc_check" CHECK ("fee_prc" BETWEEN 0 AND 1),
    ADD CONSTRAINT "fleet_associations_options_check" CHECK ("options" BETWEEN 0 AND 3);

-- An association has the type of its service, so that lists can be filtered by it.
CREATE TRIGGER "fleet_associations_service_type" BEFORE INSERT OR UPDATE OF "service_id", "service_type" ON "fleet_associations" FOR EACH ROW
    EXECUTE FUNCTION "take_service_type"();
CREATE TRIGGER "services_type_of_associations" AFTER UPDATE OF "type" ON "services" FOR EACH ROW
    WHEN (NEW."type" <> OLD."type")
    EXECUTE FUNCTION "give_service_type"();
