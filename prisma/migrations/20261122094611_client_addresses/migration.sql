-- CreateTable
CREATE TABLE "client_addresses" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT,
    "address" TEXT,
    "address_line_1" TEXT,
    "address_line_2" TEXT,
    "address_line_3" TEXT,
    "reference" TEXT,
    "latitude_e6" INTEGER,
    "longitude_e6" INTEGER,
    "country" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "postal_code" TEXT NOT NULL DEFAULT '',
    "is_selected" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_addresses_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "client_addresses_company_id_client_id_id_idx" ON "client_addresses"("company_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "client_addresses_company_id_client_id_name_id_idx" ON "client_addresses"("company_id", "client_id", "name", "id");

-- CreateIndex
CREATE INDEX "client_addresses_company_id_client_id_type_id_idx" ON "client_addresses"("company_id", "client_id", "type", "id");

-- CreateIndex
CREATE INDEX "client_addresses_company_id_client_id_is_selected_id_idx" ON "client_addresses"("company_id", "client_id", "is_selected", "id");

-- CreateIndex
CREATE INDEX "client_addresses_company_id_client_id_created_at_id_idx" ON "client_addresses"("company_id", "client_id", "created_at", "id");

-- At most one address of a client is selected.
CREATE UNIQUE INDEX "client_addresses_company_id_client_id_selected_key" ON "client_addresses"("company_id", "client_id") WHERE "is_selected";

-- Parts of names.
CREATE INDEX "client_addresses_texts_idx" ON "client_addresses" USING gin ("company_id", "client_id", folded("name") gin_trgm_ops);
CREATE STATISTICS "client_addresses_name_folded" ON (folded("name")) FROM "client_addresses";
ALTER STATISTICS "client_addresses_name_folded" SET STATISTICS 200;

-- AddForeignKey
ALTER TABLE "client_addresses" ADD CONSTRAINT "client_addresses_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_addresses" ADD CONSTRAINT "client_addresses_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_address_check CHECK (((char_length(address) >= 1) AND (char_length(address) <= 255)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_address_line_1_check CHECK (((char_length(address_line_1) >= 1) AND (char_length(address_line_1) <= 255)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_address_line_2_check CHECK (((char_length(address_line_2) >= 1) AND (char_length(address_line_2) <= 255)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_address_line_3_check CHECK (((char_length(address_line_3) >= 1) AND (char_length(address_line_3) <= 255)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_city_check CHECK ((char_length(city) <= 80));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_country_check CHECK ((char_length(country) <= 80));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_delivery_check CHECK (((type <> 'delivery'::text) OR (latitude_e6 IS NOT NULL)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_latitude_e6_check CHECK (((latitude_e6 >= '-90000000'::integer) AND (latitude_e6 <= 90000000)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_longitude_e6_check CHECK (((longitude_e6 >= '-180000000'::integer) AND (longitude_e6 <= 180000000)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 32)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_point_check CHECK (((latitude_e6 IS NULL) = (longitude_e6 IS NULL)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_postal_code_check CHECK ((char_length(postal_code) <= 16));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 255)));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_shipping_check CHECK (((type <> 'shipping'::text) OR ((address_line_2 IS NOT NULL) AND (address_line_3 IS NOT NULL) AND (postal_code <> ''::text) AND (state <> ''::text) AND (city <> ''::text))));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_state_check CHECK ((char_length(state) <= 80));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_type_check CHECK ((type = ANY (ARRAY['delivery'::text, 'shipping'::text, 'legacy'::text])));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_typed_check CHECK (((type IS NULL) OR (type = 'legacy'::text) OR ((address_line_1 IS NOT NULL) AND (country <> ''::text))));

ALTER TABLE client_addresses ADD CONSTRAINT client_addresses_untyped_check CHECK ((COALESCE((type = ANY (ARRAY['delivery'::text, 'shipping'::text])), false) OR (address IS NOT NULL)));

CREATE TRIGGER client_addresses_updated_at BEFORE UPDATE OF updated_at ON public.client_addresses FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();
