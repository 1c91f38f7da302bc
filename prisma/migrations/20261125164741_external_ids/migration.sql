-- AlterTable
ALTER TABLE "branch_groups" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "branches" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "coupons" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "goods" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "properties" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "external_id" TEXT;

-- CreateTable
CREATE TABLE "external_ids" (
    "company_id" INTEGER NOT NULL,
    "table_name" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "deleted_id" INTEGER NOT NULL DEFAULT 0,
    "entity_id" INTEGER NOT NULL,

    CONSTRAINT "external_ids_company_id_external_id_key" PRIMARY KEY ("company_id","table_name","external_id","deleted_id")
);

-- AddForeignKey
ALTER TABLE "external_ids" ADD CONSTRAINT "external_ids_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Keeps in "external_ids" which row has an id of the company's own systems. The argument 'soft' is given for tables whose rows can be
-- deleted softly: a deleted row gives its id up, and takes it again when it is restored.
CREATE OR REPLACE FUNCTION "keep_external_id"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _deleted_id integer := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "external_ids"
         WHERE "company_id" = OLD."company_id" AND "table_name" = TG_TABLE_NAME
           AND "external_id" = OLD."external_id" AND "entity_id" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' AND NEW."external_id" IS NOT NULL THEN
        -- Other tables have no such column, so the expression stands alone.
        IF TG_NARGS = 1 THEN
            _deleted_id := CASE WHEN NEW."deleted_at" IS NULL THEN 0 ELSE NEW."id" END;
        END IF;
        INSERT INTO "external_ids" ("company_id", "table_name", "external_id", "deleted_id", "entity_id")
        VALUES (NEW."company_id", TG_TABLE_NAME, NEW."external_id", _deleted_id, NEW."id");
    END IF;
    RETURN NULL;
END
$$;

ALTER TABLE external_ids ADD CONSTRAINT external_ids_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 64)));

CREATE TRIGGER branch_groups_external_id_added AFTER INSERT ON public.branch_groups FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER branch_groups_external_id_changed AFTER UPDATE OF external_id ON public.branch_groups FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER branch_groups_external_id_removed AFTER DELETE ON public.branch_groups FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER branches_external_id_added AFTER INSERT ON public.branches FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER branches_external_id_changed AFTER UPDATE OF external_id ON public.branches FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER branches_external_id_removed AFTER DELETE ON public.branches FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER clients_external_id_added AFTER INSERT ON public.clients FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER clients_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.clients FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER clients_external_id_removed AFTER DELETE ON public.clients FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER coupons_external_id_added AFTER INSERT ON public.coupons FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER coupons_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.coupons FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER coupons_external_id_removed AFTER DELETE ON public.coupons FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER goods_external_id_added AFTER INSERT ON public.goods FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER goods_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.goods FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER goods_external_id_removed AFTER DELETE ON public.goods FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('soft');

CREATE TRIGGER orders_external_id_added AFTER INSERT ON public.orders FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER orders_external_id_changed AFTER UPDATE OF external_id ON public.orders FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER orders_external_id_removed AFTER DELETE ON public.orders FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER properties_external_id_added AFTER INSERT ON public.properties FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER properties_external_id_changed AFTER UPDATE OF external_id ON public.properties FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER properties_external_id_removed AFTER DELETE ON public.properties FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER providers_external_id_added AFTER INSERT ON public.providers FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER providers_external_id_changed AFTER UPDATE OF external_id ON public.providers FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id();

CREATE TRIGGER providers_external_id_removed AFTER DELETE ON public.providers FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id();

COMMENT ON INDEX external_ids_company_id_external_id_key IS 'key of the rows';
