-- Amounts beyond 53 bits are none that a list can show.
UPDATE "orders" SET "total_e2" = LEAST("total_e2", 9007199254740991),
    "delivery_e2" = LEAST("delivery_e2", GREATEST(9007199254740991 - "subtotal_e2", 0))
 WHERE "total_e2" > 9007199254740991 OR "delivery_e2" > 9007199254740991 - "subtotal_e2";

ALTER TABLE "orders"
    DROP CONSTRAINT "orders_total_e2_check",
    ADD CONSTRAINT "orders_total_e2_check" CHECK ("total_e2" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "orders_sum_check" CHECK ("delivery_e2" <= 9007199254740991 - "subtotal_e2");

-- A choice without a name gets its number.
UPDATE "property_options" SET "name" = "id"::text WHERE "name" = '';

ALTER TABLE "property_options"
    ALTER COLUMN "name" DROP DEFAULT,
    DROP CONSTRAINT "property_options_name_check",
    ADD CONSTRAINT "property_options_name_check" CHECK (char_length("name") BETWEEN 1 AND 64);
