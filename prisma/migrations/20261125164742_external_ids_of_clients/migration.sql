-- The ids that clients had before. What a trigger has kept by then is right, so it stays.
WITH "held" AS MATERIALIZED (
    SELECT "company_id", "id", "external_id", "deleted_at" FROM "clients" WHERE "external_id" IS NOT NULL FOR SHARE)
INSERT INTO "external_ids" ("company_id", "table_name", "external_id", "deleted_id", "entity_id")
SELECT "company_id", 'clients', "external_id", CASE WHEN "deleted_at" IS NULL THEN 0 ELSE "id" END, "id" FROM "held"
    ON CONFLICT DO NOTHING;
