DROP TRIGGER admin_types_updated_at ON admin_types;

DROP TRIGGER admins_updated_at ON admins;

DROP TRIGGER branch_categories_updated_at ON branch_categories;

DROP TRIGGER branch_good_properties_updated_at ON branch_good_properties;

DROP TRIGGER branch_goods_updated_at ON branch_goods;

DROP TRIGGER branch_groups_updated_at ON branch_groups;

DROP TRIGGER branches_updated_at ON branches;

DROP TRIGGER campaigns_updated_at ON campaigns;

DROP TRIGGER cart_items_updated_at ON cart_items;

DROP TRIGGER carts_updated_at ON carts;

DROP TRIGGER categories_updated_at ON categories;

DROP TRIGGER chat_rooms_updated_at ON chat_rooms;

DROP TRIGGER cities_updated_at ON cities;

DROP TRIGGER client_addresses_updated_at ON client_addresses;

DROP TRIGGER client_segment_uploads_updated_at ON client_segment_uploads;

DROP TRIGGER client_segments_updated_at ON client_segments;

DROP TRIGGER clients_updated_at ON clients;

DROP TRIGGER companies_updated_at ON companies;

DROP TRIGGER company_events_updated_at ON company_events;

DROP TRIGGER coupon_code_uploads_updated_at ON coupon_code_uploads;

DROP TRIGGER coupons_updated_at ON coupons;

DROP TRIGGER fleet_associations_updated_at ON fleet_associations;

DROP TRIGGER fleets_updated_at ON fleets;

DROP TRIGGER forms_updated_at ON forms;

DROP TRIGGER geofences_updated_at ON geofences;

DROP TRIGGER good_materials_updated_at ON good_materials;

DROP TRIGGER good_properties_updated_at ON good_properties;

DROP TRIGGER good_tags_updated_at ON good_tags;

DROP TRIGGER good_types_updated_at ON good_types;

DROP TRIGGER goods_updated_at ON goods;

DROP TRIGGER import_jobs_updated_at ON import_jobs;

DROP TRIGGER invoice_documents_updated_at ON invoice_documents;

DROP TRIGGER materials_updated_at ON materials;

DROP TRIGGER orders_updated_at ON orders;

DROP TRIGGER promoted_banners_updated_at ON promoted_banners;

DROP TRIGGER properties_updated_at ON properties;

DROP TRIGGER providers_updated_at ON providers;

DROP TRIGGER service_charges_updated_at ON service_charges;

DROP TRIGGER services_updated_at ON services;

DROP ROUTINE advance_updated_at();

-- AlterTable
ALTER TABLE "admin_type_roles" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "admin_types" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "branch_categories" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "branch_good_properties" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "branch_goods" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "branch_groups" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "branches" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "cart_items" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "carts" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "chat_rooms" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "cities" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "client_addresses" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "client_segment_uploads" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "client_segments" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "company_events" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "company_settings" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "coupon_code_uploads" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "coupons" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "fleet_associations" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "fleets" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "forms" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "geofences" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "good_materials" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "good_properties" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "good_tags" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "good_types" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "goods" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "import_jobs" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "invoice_documents" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "materials" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "promoted_banners" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "properties" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "property_options" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "service_charges" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "services" ADD COLUMN     "shares_second" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- Returns what differs between two states of a row, by column: the value before and the value after. Of columns that hold
-- objects it tells the keys that differ, such as "config.limit". Values of hidden columns are only told as set or not; of a
-- value that is longer than 10,000 characters as JSON, it tells the length and the beginning.
-- Null when nothing differs but the moment and version of the change, and what the database makes of other columns.
CREATE OR REPLACE FUNCTION "audit_changes"(_old jsonb, _new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    WITH "columns" AS (
        SELECT key AS path, key = ANY (_hidden) AS hidden,
               coalesce(_old -> key, 'null') AS before, coalesce(_new -> key, 'null') AS after
          FROM jsonb_object_keys(_old || _new) AS key
         WHERE key NOT IN ('company_id', 'updated_at', 'version', 'shares_second', 'search_words')
           AND coalesce(_old -> key, 'null') <> coalesce(_new -> key, 'null')
    ), "values" AS (
        SELECT path, hidden, before, after FROM "columns"
         WHERE jsonb_typeof(before) <> 'object' AND jsonb_typeof(after) <> 'object'
        UNION ALL
        SELECT path || '.' || key, hidden, coalesce(before -> key, 'null'), coalesce(after -> key, 'null')
          FROM "columns",
               jsonb_object_keys(
                   CASE jsonb_typeof(before) WHEN 'object' THEN before ELSE '{}' END ||
                   CASE jsonb_typeof(after) WHEN 'object' THEN after ELSE '{}' END) AS key
         WHERE (jsonb_typeof(before) = 'object' OR jsonb_typeof(after) = 'object')
           AND coalesce(before -> key, 'null') <> coalesce(after -> key, 'null')
    )
    SELECT jsonb_object_agg(path, jsonb_build_array("audit_value"(before, hidden), "audit_value"(after, hidden)))
      FROM "values"
$$;

-- Returns what a new row has, in the form of "audit_changes", which tells the same of it with more effort: nothing is
-- compared, since nothing was there before. It is one row, as of a table: PostgreSQL puts such a function into the
-- statement that reads it, and has no call for each row.
CREATE OR REPLACE FUNCTION "audit_values"(_new jsonb, _hidden text[]) RETURNS TABLE ("changes" jsonb)
LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT coalesce(jsonb_object_agg(path, jsonb_build_array(NULL, "audit_value"(value, key = ANY (_hidden)))), '{}')
      FROM (SELECT key, key AS path, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) NOT IN ('object', 'null')
            UNION ALL
            SELECT c.key, c.key || '.' || part.key, part.value
              FROM (SELECT key, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) = 'object') AS c,
                   jsonb_each(CASE jsonb_typeof(c.value) WHEN 'object' THEN c.value ELSE '{}' END) AS part
             WHERE jsonb_typeof(part.value) <> 'null') AS "values"
     WHERE key NOT IN ('company_id', 'updated_at', 'version', 'shares_second', 'search_words')
$$;

-- Moves the versions of "admin_types" whose parts in "admin_type_roles" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_admin_types_of_admin_type_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "admin_types" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "branch_goods" whose parts in "branch_good_properties" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_branch_goods_of_branch_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "branch_goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "clients" whose parts in "client_admins" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_clients_of_client_admins"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "clients" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "companies" whose parts in "company_settings" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_companies_of_company_settings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "companies" SET "version" = "version" + 1
     WHERE "id" IN (OLD."company_id", NEW."company_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branch_groups" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branches" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "good_tags" whose parts in "good_tag_goods" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_good_tags_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "good_tags" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "branch_goods" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_branch_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_categories" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_materials" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_materials"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_properties" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_tag_goods" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "orders" whose parts in "order_items" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_orders_of_order_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "orders" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "promoted_banners" whose parts in "promoted_banner_branch_categories" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_promoted_banners_of_promoted_banner_branch_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "promoted_banners" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_options" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_options"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_ranges" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_ranges"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_texts" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_texts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the versions of "providers" whose parts in "provider_branch_groups" change, once in a transaction.
CREATE OR REPLACE FUNCTION "move_providers_of_provider_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "providers" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    RETURN NULL;
END
$$;

-- Moves the version of a row on when anything of it changes, or when its version is moved because a part of it has changed,
-- and takes the moment from the clock. A change of nothing leaves both as they are. Moments are shown by the second: the row
-- says whether an earlier state of it had the same. Columns that the database makes of others have no value yet: the trigger
-- names them.
CREATE OR REPLACE FUNCTION "move_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _now CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp());
BEGIN
    NEW."updated_at" := OLD."updated_at";
    IF NEW."version" = OLD."version" THEN
        IF TG_NARGS = 0 THEN
            IF NEW *= OLD THEN RETURN NEW; END IF;
        ELSIF to_jsonb(NEW) - TG_ARGV[0]::text[] = to_jsonb(OLD) - TG_ARGV[0]::text[] THEN
            RETURN NEW;
        END IF;
    END IF;
    NEW."version" := OLD."version" + 1;
    NEW."shares_second" := date_trunc('second', OLD."updated_at") >= date_trunc('second', _now);
    NEW."updated_at" := _now;
    RETURN NEW;
END
$$;

CREATE TRIGGER admin_type_roles_changes_admin_types AFTER UPDATE ON public.admin_type_roles FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_admin_types_of_admin_type_roles();

CREATE TRIGGER admin_type_roles_moves_admin_types AFTER INSERT OR DELETE ON public.admin_type_roles FOR EACH ROW EXECUTE FUNCTION move_admin_types_of_admin_type_roles();

CREATE TRIGGER admin_type_roles_version BEFORE UPDATE OF updated_at, version ON public.admin_type_roles FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER admin_types_version BEFORE UPDATE OF updated_at, version ON public.admin_types FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER admins_version BEFORE UPDATE OF updated_at, version ON public.admins FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER branch_categories_version BEFORE UPDATE OF updated_at, version ON public.branch_categories FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER branch_good_properties_changes_branch_goods AFTER UPDATE ON public.branch_good_properties FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_branch_goods_of_branch_good_properties();

CREATE TRIGGER branch_good_properties_moves_branch_goods AFTER INSERT OR DELETE ON public.branch_good_properties FOR EACH ROW EXECUTE FUNCTION move_branch_goods_of_branch_good_properties();

CREATE TRIGGER branch_good_properties_version BEFORE UPDATE OF updated_at, version ON public.branch_good_properties FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER branch_goods_changes_goods AFTER UPDATE ON public.branch_goods FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_goods_of_branch_goods();

CREATE TRIGGER branch_goods_moves_goods AFTER INSERT OR DELETE ON public.branch_goods FOR EACH ROW EXECUTE FUNCTION move_goods_of_branch_goods();

CREATE TRIGGER branch_goods_version BEFORE UPDATE OF updated_at, version ON public.branch_goods FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER branch_groups_version BEFORE UPDATE OF updated_at, version ON public.branch_groups FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER branches_version BEFORE UPDATE OF updated_at, version ON public.branches FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER campaigns_version BEFORE UPDATE OF updated_at, version ON public.campaigns FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER cart_items_version BEFORE UPDATE OF updated_at, version ON public.cart_items FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER carts_version BEFORE UPDATE OF updated_at, version ON public.carts FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER categories_version BEFORE UPDATE OF updated_at, version ON public.categories FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER chat_rooms_version BEFORE UPDATE OF updated_at, version ON public.chat_rooms FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER cities_version BEFORE UPDATE OF updated_at, version ON public.cities FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER client_addresses_version BEFORE UPDATE OF updated_at, version ON public.client_addresses FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER client_admins_changes_clients AFTER UPDATE ON public.client_admins FOR EACH ROW EXECUTE FUNCTION move_clients_of_client_admins();

CREATE TRIGGER client_admins_moves_clients AFTER INSERT OR DELETE ON public.client_admins FOR EACH ROW EXECUTE FUNCTION move_clients_of_client_admins();

CREATE TRIGGER client_segment_uploads_version BEFORE UPDATE OF updated_at, version ON public.client_segment_uploads FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER client_segments_version BEFORE UPDATE OF updated_at, version ON public.client_segments FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER clients_version BEFORE UPDATE OF updated_at, version ON public.clients FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER companies_version BEFORE UPDATE OF updated_at, version ON public.companies FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER company_events_version BEFORE UPDATE OF updated_at, version ON public.company_events FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER company_settings_changes_companies AFTER UPDATE ON public.company_settings FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_companies_of_company_settings();

CREATE TRIGGER company_settings_moves_companies AFTER INSERT OR DELETE ON public.company_settings FOR EACH ROW EXECUTE FUNCTION move_companies_of_company_settings();

CREATE TRIGGER company_settings_version BEFORE UPDATE OF updated_at, version ON public.company_settings FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER coupon_branch_groups_changes_coupons AFTER UPDATE ON public.coupon_branch_groups FOR EACH ROW EXECUTE FUNCTION move_coupons_of_coupon_branch_groups();

CREATE TRIGGER coupon_branch_groups_moves_coupons AFTER INSERT OR DELETE ON public.coupon_branch_groups FOR EACH ROW EXECUTE FUNCTION move_coupons_of_coupon_branch_groups();

CREATE TRIGGER coupon_branches_changes_coupons AFTER UPDATE ON public.coupon_branches FOR EACH ROW EXECUTE FUNCTION move_coupons_of_coupon_branches();

CREATE TRIGGER coupon_branches_moves_coupons AFTER INSERT OR DELETE ON public.coupon_branches FOR EACH ROW EXECUTE FUNCTION move_coupons_of_coupon_branches();

CREATE TRIGGER coupon_code_uploads_version BEFORE UPDATE OF updated_at, version ON public.coupon_code_uploads FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER coupons_version BEFORE UPDATE OF updated_at, version ON public.coupons FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER fleet_associations_version BEFORE UPDATE OF updated_at, version ON public.fleet_associations FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER fleets_version BEFORE UPDATE OF updated_at, version ON public.fleets FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER forms_version BEFORE UPDATE OF updated_at, version ON public.forms FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER geofences_version BEFORE UPDATE OF updated_at, version ON public.geofences FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER good_categories_changes_goods AFTER UPDATE ON public.good_categories FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_categories();

CREATE TRIGGER good_categories_moves_goods AFTER INSERT OR DELETE ON public.good_categories FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_categories();

CREATE TRIGGER good_materials_changes_goods AFTER UPDATE ON public.good_materials FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_goods_of_good_materials();

CREATE TRIGGER good_materials_moves_goods AFTER INSERT OR DELETE ON public.good_materials FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_materials();

CREATE TRIGGER good_materials_version BEFORE UPDATE OF updated_at, version ON public.good_materials FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER good_properties_changes_goods AFTER UPDATE ON public.good_properties FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_goods_of_good_properties();

CREATE TRIGGER good_properties_moves_goods AFTER INSERT OR DELETE ON public.good_properties FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_properties();

CREATE TRIGGER good_properties_version BEFORE UPDATE OF updated_at, version ON public.good_properties FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER good_tag_goods_changes_good_tags AFTER UPDATE ON public.good_tag_goods FOR EACH ROW EXECUTE FUNCTION move_good_tags_of_good_tag_goods();

CREATE TRIGGER good_tag_goods_changes_goods AFTER UPDATE ON public.good_tag_goods FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_tag_goods();

CREATE TRIGGER good_tag_goods_moves_good_tags AFTER INSERT OR DELETE ON public.good_tag_goods FOR EACH ROW EXECUTE FUNCTION move_good_tags_of_good_tag_goods();

CREATE TRIGGER good_tag_goods_moves_goods AFTER INSERT OR DELETE ON public.good_tag_goods FOR EACH ROW EXECUTE FUNCTION move_goods_of_good_tag_goods();

CREATE TRIGGER good_tags_version BEFORE UPDATE OF updated_at, version ON public.good_tags FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER good_types_version BEFORE UPDATE OF updated_at, version ON public.good_types FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER goods_version BEFORE UPDATE OF updated_at, version ON public.goods FOR EACH ROW EXECUTE FUNCTION move_version('{search_words}');

CREATE TRIGGER import_jobs_version BEFORE UPDATE OF updated_at, version ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER invoice_documents_version BEFORE UPDATE OF updated_at, version ON public.invoice_documents FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER materials_version BEFORE UPDATE OF updated_at, version ON public.materials FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER order_items_changes_orders AFTER UPDATE ON public.order_items FOR EACH ROW EXECUTE FUNCTION move_orders_of_order_items();

CREATE TRIGGER order_items_moves_orders AFTER INSERT OR DELETE ON public.order_items FOR EACH ROW EXECUTE FUNCTION move_orders_of_order_items();

CREATE TRIGGER orders_version BEFORE UPDATE OF updated_at, version ON public.orders FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER promoted_banner_branch_categories_changes_promoted_banners AFTER UPDATE ON public.promoted_banner_branch_categories FOR EACH ROW EXECUTE FUNCTION move_promoted_banners_of_promoted_banner_branch_categories();

CREATE TRIGGER promoted_banner_branch_categories_moves_promoted_banners AFTER INSERT OR DELETE ON public.promoted_banner_branch_categories FOR EACH ROW EXECUTE FUNCTION move_promoted_banners_of_promoted_banner_branch_categories();

CREATE TRIGGER promoted_banners_version BEFORE UPDATE OF updated_at, version ON public.promoted_banners FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER properties_version BEFORE UPDATE OF updated_at, version ON public.properties FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER property_options_changes_properties AFTER UPDATE ON public.property_options FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION move_properties_of_property_options();

CREATE TRIGGER property_options_moves_properties AFTER INSERT OR DELETE ON public.property_options FOR EACH ROW EXECUTE FUNCTION move_properties_of_property_options();

CREATE TRIGGER property_options_version BEFORE UPDATE OF updated_at, version ON public.property_options FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER property_ranges_changes_properties AFTER UPDATE ON public.property_ranges FOR EACH ROW EXECUTE FUNCTION move_properties_of_property_ranges();

CREATE TRIGGER property_ranges_moves_properties AFTER INSERT OR DELETE ON public.property_ranges FOR EACH ROW EXECUTE FUNCTION move_properties_of_property_ranges();

CREATE TRIGGER property_texts_changes_properties AFTER UPDATE ON public.property_texts FOR EACH ROW EXECUTE FUNCTION move_properties_of_property_texts();

CREATE TRIGGER property_texts_moves_properties AFTER INSERT OR DELETE ON public.property_texts FOR EACH ROW EXECUTE FUNCTION move_properties_of_property_texts();

CREATE TRIGGER provider_branch_groups_changes_providers AFTER UPDATE ON public.provider_branch_groups FOR EACH ROW EXECUTE FUNCTION move_providers_of_provider_branch_groups();

CREATE TRIGGER provider_branch_groups_moves_providers AFTER INSERT OR DELETE ON public.provider_branch_groups FOR EACH ROW EXECUTE FUNCTION move_providers_of_provider_branch_groups();

CREATE TRIGGER providers_version BEFORE UPDATE OF updated_at, version ON public.providers FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER service_charges_version BEFORE UPDATE OF updated_at, version ON public.service_charges FOR EACH ROW EXECUTE FUNCTION move_version();

CREATE TRIGGER services_version BEFORE UPDATE OF updated_at, version ON public.services FOR EACH ROW EXECUTE FUNCTION move_version();
