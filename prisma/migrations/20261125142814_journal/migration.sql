DROP TRIGGER admin_type_roles_audit ON admin_type_roles;

DROP TRIGGER admin_types_audit ON admin_types;

DROP TRIGGER admins_audit ON admins;

DROP TRIGGER branch_categories_audit ON branch_categories;

DROP TRIGGER branch_good_properties_audit ON branch_good_properties;

DROP TRIGGER branch_goods_audit ON branch_goods;

DROP TRIGGER branch_goods_audit_new ON branch_goods;

DROP TRIGGER branch_groups_audit ON branch_groups;

DROP TRIGGER branches_audit ON branches;

DROP TRIGGER campaigns_audit ON campaigns;

DROP TRIGGER cart_items_audit ON cart_items;

DROP TRIGGER carts_audit ON carts;

DROP TRIGGER categories_audit ON categories;

DROP TRIGGER chat_rooms_audit ON chat_rooms;

DROP TRIGGER cities_audit ON cities;

DROP TRIGGER client_segment_uploads_audit ON client_segment_uploads;

DROP TRIGGER client_segments_audit ON client_segments;

DROP TRIGGER clients_audit ON clients;

DROP TRIGGER companies_audit ON companies;

DROP TRIGGER company_events_audit ON company_events;

DROP TRIGGER coupon_code_uploads_audit ON coupon_code_uploads;

DROP TRIGGER coupons_audit ON coupons;

DROP TRIGGER fleet_associations_audit ON fleet_associations;

DROP TRIGGER fleets_audit ON fleets;

DROP TRIGGER forms_audit ON forms;

DROP TRIGGER geofences_audit ON geofences;

DROP TRIGGER good_properties_audit ON good_properties;

DROP TRIGGER good_tags_audit ON good_tags;

DROP TRIGGER good_types_audit ON good_types;

DROP TRIGGER goods_audit ON goods;

DROP TRIGGER goods_audit_new ON goods;

DROP TRIGGER import_jobs_audit ON import_jobs;

DROP TRIGGER invoice_documents_audit ON invoice_documents;

DROP TRIGGER materials_audit ON materials;

DROP TRIGGER orders_audit ON orders;

DROP TRIGGER promoted_banners_audit ON promoted_banners;

DROP TRIGGER properties_audit ON properties;

DROP TRIGGER property_options_audit ON property_options;

DROP TRIGGER providers_audit ON providers;

DROP TRIGGER service_charges_audit ON service_charges;

DROP TRIGGER services_audit ON services;

-- CreateTable
CREATE TABLE "journal_entries" (
    "company_id" INTEGER NOT NULL,
    "transaction" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "entity_id" BIGINT NOT NULL,
    "fields" TEXT[],
    "request_id" TEXT,
    "actor_kind" TEXT,
    "actor_id" INTEGER,

    CONSTRAINT "journal_entries_pkey" PRIMARY KEY ("company_id","transaction","id")
);

-- CreateTable
CREATE TABLE "journal_states" (
    "id" INTEGER NOT NULL,
    "identity" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "purged_before" TIMESTAMPTZ(3),

    CONSTRAINT "journal_states_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "journal_entries_at_idx" ON "journal_entries"("at");

-- Writes the entries of the journal and of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _company_id integer;
    _bytes bigint;
BEGIN
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"("company_id", TG_ARGV[3], 'create', "id", '{}', _context) FROM "written";
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    FOR _company_id, _bytes IN
    WITH "entries" AS (
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    SELECT (n."row" ->> 'company_id')::integer,
           _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
           (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
           'create', TG_ARGV[0],
           CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
           CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
           CASE WHEN octet_length(v."changes"::text) > 64000 THEN "audit_bounded"(v."changes") ELSE v."changes" END
      FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n, "audit_values"(n."row", _hidden) AS v
    RETURNING "company_id", octet_length("changes"::text) AS "bytes"
    ), "counted" AS (
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount")
        SELECT "company_id", 'trail', current_date, sum("bytes") FROM "entries" GROUP BY "company_id"
    )
    SELECT "company_id", sum("bytes") FROM "entries" WHERE "bytes" > 4096 GROUP BY "company_id"
    LOOP
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes what becomes of a row that has changed: an entry of the journal, and one of the audit trail when the setting
-- "audit.context" of the transaction says who acts. The trigger names the kind of row, the columns whose values are not told,
-- the columns of a key that is no "id", and the row's type in the journal, if it has one. An entry has at most 64 KB. It
-- writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb;
    _company_id integer := coalesce(_row ->> 'company_id', _row ->> 'id')::integer;
    _action text := CASE TG_OP
        WHEN 'INSERT' THEN 'create'
        WHEN 'DELETE' THEN 'delete'
        ELSE CASE
            WHEN _old ->> 'deleted_at' IS NULL AND _new ->> 'deleted_at' IS NOT NULL THEN 'delete'
            WHEN _old ->> 'deleted_at' IS NOT NULL AND _new ->> 'deleted_at' IS NULL THEN 'restore'
            ELSE 'update'
        END
    END;
    _bytes integer;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF _context IS NULL THEN
            PERFORM "note_change"(_company_id, TG_ARGV[3], 'create', (_row ->> 'id')::bigint, '{}', NULL);
            RETURN NULL;
        END IF;
        SELECT "changes" INTO _changes FROM "audit_values"(_new, _hidden);
    ELSE
        _changes := "audit_changes"(_old, _new, _hidden);
    END IF;
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    _changes := coalesce(_changes, '{}');
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"(
            _company_id, TG_ARGV[3], _action, (_row ->> 'id')::bigint,
            CASE _action
                WHEN 'update' THEN ARRAY(SELECT DISTINCT split_part(key, '.', 1) FROM jsonb_object_keys(_changes) AS key)
                ELSE '{}'
            END,
            _context);
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    _bytes := octet_length(_changes::text);
    IF _bytes > 4096 THEN
        IF _bytes > 64000 THEN
            _changes := "audit_bounded"(_changes);
            _bytes := octet_length(_changes::text);
        END IF;
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END IF;
    INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    VALUES (
        _company_id,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
        _action,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        (SELECT jsonb_object_agg(name, _row -> name) FROM unnest(_key) AS name),
        _changes);
    RETURN NULL;
END
$$;

-- Begins the journal anew in a database that has come from a dump: numbers of transactions begin anew there, so that entries
-- from before have no place among those from then on. Whoever follows learns that by a cursor that holds no more.
CREATE OR REPLACE FUNCTION "begin_journal"() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _identity CONSTANT text := concat_ws('/',
        (SELECT system_identifier FROM pg_control_system()),
        (SELECT oid FROM pg_database WHERE datname = current_database()), 'journal_entries'::regclass::oid);
BEGIN
    /* all companies */
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1 AND "identity" = _identity) THEN
        RETURN;
    END IF;
    LOCK TABLE "journal_states" IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1 AND "identity" = _identity) THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM "journal_states" WHERE "id" = 1) THEN
        TRUNCATE "journal_entries";
    END IF;
    INSERT INTO "journal_states" ("id", "identity", "started_at")
    VALUES (1, _identity, CASE WHEN EXISTS (SELECT FROM "journal_states" WHERE "id" = 1) THEN clock_timestamp() ELSE 'epoch' END)
    ON CONFLICT ("id") DO UPDATE SET "identity" = EXCLUDED."identity", "started_at" = EXCLUDED."started_at", "purged_before" = NULL;
END
$$;

-- Moves the versions of "admin_types" whose parts in "admin_type_roles" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_admin_types_of_admin_type_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "admin_types" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'AdminType', 'update', "id", '{roles}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "admin_types"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "branch_goods" whose parts in "branch_good_properties" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_branch_goods_of_branch_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "branch_goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'BranchGood', 'update', "id", '{branch_good_properties}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "branch_goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "clients" whose parts in "client_admins" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_clients_of_client_admins"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "clients" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Client', 'update', "id", '{admins}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "clients"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "companies" whose parts in "company_settings" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_companies_of_company_settings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "companies" SET "version" = "version" + 1
     WHERE "id" IN (OLD."company_id", NEW."company_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "id", 'Company', 'update', "id", '{settings}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "companies"
     WHERE "id" IN (OLD."company_id", NEW."company_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branch_groups" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Coupon', 'update', "id", '{branch_groups}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "coupons"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branches" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Coupon', 'update', "id", '{branches}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "coupons"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "good_tags" whose parts in "good_tag_goods" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_good_tags_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "good_tags" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'GoodTag', 'update', "id", '{goods}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "good_tags"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "branch_goods" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_goods_of_branch_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Good', 'update', "id", '{branch_goods}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_categories" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_goods_of_good_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Good', 'update', "id", '{categories}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_materials" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_goods_of_good_materials"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Good', 'update', "id", '{materials}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_properties" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_goods_of_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Good', 'update', "id", '{properties}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_tag_goods" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_goods_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Good', 'update', "id", '{tags}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "goods"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "orders" whose parts in "order_items" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_orders_of_order_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "orders" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Order', 'update', "id", '{items}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "orders"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "promoted_banners" whose parts in "promoted_banner_branch_categories" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_promoted_banners_of_promoted_banner_branch_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "promoted_banners" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'PromotedBanner', 'update', "id", '{branch_categories}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "promoted_banners"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_options" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_properties_of_property_options"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Property', 'update', "id", '{property_options}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "properties"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_ranges" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_properties_of_property_ranges"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Property', 'update', "id", '{property_range}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "properties"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_texts" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_properties_of_property_texts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Property', 'update', "id", '{property_text}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "properties"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "providers" whose parts in "provider_branch_groups" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_providers_of_provider_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "providers" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', now()));
    PERFORM "note_change"(
        "company_id", 'Provider', 'update', "id", '{branch_groups}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "providers"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "request_id", "actor_kind", "actor_id")
    VALUES (
        _company_id, pg_current_xact_id()::text::bigint, date_trunc('milliseconds', clock_timestamp()), _type,
        CASE _action WHEN 'create' THEN 'created' WHEN 'delete' THEN 'deleted' WHEN 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context ->> 'requestId', _context ->> 'actorKind',
        coalesce(_context ->> 'adminId', _context ->> 'clientId')::integer);
END
$$;

-- Removes the oldest entries of the journal from before a moment, at most so many, and returns how many.
CREATE OR REPLACE FUNCTION "purge_journal"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    _count integer;
BEGIN
    /* all companies */
    IF coalesce((SELECT min("at") FROM "journal_entries") >= _before, true) THEN
        RETURN 0;
    END IF;
    UPDATE "journal_states" SET "purged_before" = greatest("purged_before", _before) WHERE "id" = 1;
    DELETE FROM "journal_entries" WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM "journal_entries" WHERE "at" < _before ORDER BY "at" LIMIT _most));
    GET DIAGNOSTICS _count = ROW_COUNT;
    RETURN _count;
END
$$;

CREATE TRIGGER admin_type_roles_audit AFTER INSERT OR DELETE OR UPDATE ON public.admin_type_roles FOR EACH ROW EXECUTE FUNCTION audit_row('admin_type_role', '{}', '{}', 'AdminTypeRole');

CREATE TRIGGER admin_types_audit AFTER INSERT OR DELETE OR UPDATE ON public.admin_types FOR EACH ROW EXECUTE FUNCTION audit_row('admin_type', '{}', '{}', 'AdminType');

CREATE TRIGGER admins_audit AFTER INSERT OR DELETE OR UPDATE ON public.admins FOR EACH ROW EXECUTE FUNCTION audit_row('admin', '{password_hash}', '{}', 'Admin');

CREATE TRIGGER branch_categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_categories FOR EACH ROW EXECUTE FUNCTION audit_row('branch_category', '{}', '{}', 'BranchCategory');

CREATE TRIGGER branch_good_properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_good_properties FOR EACH ROW EXECUTE FUNCTION audit_row('branch_good_property', '{}', '{}', 'BranchGoodProperty');

CREATE TRIGGER branch_goods_audit AFTER DELETE OR UPDATE ON public.branch_goods FOR EACH ROW EXECUTE FUNCTION audit_row('branch_good', '{}', '{}', 'BranchGood');

CREATE TRIGGER branch_goods_audit_new AFTER INSERT ON public.branch_goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION audit_new_rows('branch_good', '{}', '{}', 'BranchGood');

CREATE TRIGGER branch_groups_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_groups FOR EACH ROW EXECUTE FUNCTION audit_row('branch_group', '{}', '{}', 'BranchGroup');

CREATE TRIGGER branches_audit AFTER INSERT OR DELETE OR UPDATE ON public.branches FOR EACH ROW EXECUTE FUNCTION audit_row('branch', '{}', '{}', 'Branch');

CREATE TRIGGER campaigns_audit AFTER INSERT OR DELETE OR UPDATE ON public.campaigns FOR EACH ROW EXECUTE FUNCTION audit_row('campaign', '{}', '{}', 'Campaign');

CREATE TRIGGER cart_items_audit AFTER INSERT OR DELETE OR UPDATE ON public.cart_items FOR EACH ROW EXECUTE FUNCTION audit_row('cart_item', '{}', '{}', 'CartItem');

CREATE TRIGGER carts_audit AFTER INSERT OR DELETE OR UPDATE ON public.carts FOR EACH ROW EXECUTE FUNCTION audit_row('cart', '{}', '{}', 'Cart');

CREATE TRIGGER categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.categories FOR EACH ROW EXECUTE FUNCTION audit_row('category', '{}', '{}', 'Category');

CREATE TRIGGER chat_rooms_audit AFTER INSERT OR DELETE OR UPDATE ON public.chat_rooms FOR EACH ROW EXECUTE FUNCTION audit_row('chat_room', '{}', '{}', 'ChatRoom');

CREATE TRIGGER cities_audit AFTER INSERT OR DELETE OR UPDATE ON public.cities FOR EACH ROW EXECUTE FUNCTION audit_row('city', '{}', '{}', 'City');

CREATE TRIGGER client_segment_uploads_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_segment_uploads FOR EACH ROW EXECUTE FUNCTION audit_row('client_segment_upload', '{file_key}', '{}', 'ClientSegmentUpload');

CREATE TRIGGER client_segments_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_segments FOR EACH ROW EXECUTE FUNCTION audit_row('client_segment', '{}', '{}', 'ClientSegment');

CREATE TRIGGER clients_audit AFTER INSERT OR DELETE OR UPDATE ON public.clients FOR EACH ROW EXECUTE FUNCTION audit_row('client', '{}', '{}', 'Client');

CREATE TRIGGER companies_audit AFTER INSERT OR DELETE OR UPDATE ON public.companies FOR EACH ROW EXECUTE FUNCTION audit_row('company', '{}', '{}', 'Company');

CREATE TRIGGER company_events_audit AFTER INSERT OR DELETE OR UPDATE ON public.company_events FOR EACH ROW EXECUTE FUNCTION audit_row('company_event', '{seed}', '{}', 'CompanyEvent');

CREATE TRIGGER coupon_code_uploads_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupon_code_uploads FOR EACH ROW EXECUTE FUNCTION audit_row('coupon_code_upload', '{file_key}', '{}', 'CouponCodeUpload');

CREATE TRIGGER coupons_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupons FOR EACH ROW EXECUTE FUNCTION audit_row('coupon', '{}', '{}', 'Coupon');

CREATE TRIGGER fleet_associations_audit AFTER INSERT OR DELETE OR UPDATE ON public.fleet_associations FOR EACH ROW EXECUTE FUNCTION audit_row('fleet_association', '{}', '{}', 'FleetAssociation');

CREATE TRIGGER fleets_audit AFTER INSERT OR DELETE OR UPDATE ON public.fleets FOR EACH ROW EXECUTE FUNCTION audit_row('fleet', '{}', '{}', 'Fleet');

CREATE TRIGGER forms_audit AFTER INSERT OR DELETE OR UPDATE ON public.forms FOR EACH ROW EXECUTE FUNCTION audit_row('form', '{}', '{}', 'Form');

CREATE TRIGGER geofences_audit AFTER INSERT OR DELETE OR UPDATE ON public.geofences FOR EACH ROW EXECUTE FUNCTION audit_row('geofence', '{}', '{}', 'Geofence');

CREATE TRIGGER good_properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_properties FOR EACH ROW EXECUTE FUNCTION audit_row('good_property', '{}', '{}', 'GoodProperty');

CREATE TRIGGER good_tags_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_tags FOR EACH ROW EXECUTE FUNCTION audit_row('good_tag', '{}', '{}', 'GoodTag');

CREATE TRIGGER good_types_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_types FOR EACH ROW EXECUTE FUNCTION audit_row('good_type', '{}', '{}', 'GoodType');

CREATE TRIGGER goods_audit AFTER DELETE OR UPDATE ON public.goods FOR EACH ROW EXECUTE FUNCTION audit_row('good', '{}', '{}', 'Good');

CREATE TRIGGER goods_audit_new AFTER INSERT ON public.goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION audit_new_rows('good', '{}', '{}', 'Good');

CREATE TRIGGER import_jobs_audit AFTER INSERT OR DELETE OR UPDATE ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION audit_row('import_job', '{file_key,report_key,actor}', '{}', 'ImportJob');

CREATE TRIGGER invoice_documents_audit AFTER INSERT OR DELETE OR UPDATE ON public.invoice_documents FOR EACH ROW EXECUTE FUNCTION audit_row('invoice_document', '{}', '{}', 'InvoiceDocument');

CREATE TRIGGER materials_audit AFTER INSERT OR DELETE OR UPDATE ON public.materials FOR EACH ROW EXECUTE FUNCTION audit_row('material', '{}', '{}', 'Material');

CREATE TRIGGER orders_audit AFTER INSERT OR DELETE OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION audit_row('order', '{}', '{}', 'Order');

CREATE TRIGGER promoted_banners_audit AFTER INSERT OR DELETE OR UPDATE ON public.promoted_banners FOR EACH ROW EXECUTE FUNCTION audit_row('promoted_banner', '{}', '{}', 'PromotedBanner');

CREATE TRIGGER properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.properties FOR EACH ROW EXECUTE FUNCTION audit_row('property', '{}', '{}', 'Property');

CREATE TRIGGER property_options_audit AFTER INSERT OR DELETE OR UPDATE ON public.property_options FOR EACH ROW EXECUTE FUNCTION audit_row('property_option', '{}', '{}', 'PropertyOption');

CREATE TRIGGER providers_audit AFTER INSERT OR DELETE OR UPDATE ON public.providers FOR EACH ROW EXECUTE FUNCTION audit_row('provider', '{}', '{}', 'Provider');

CREATE TRIGGER service_charges_audit AFTER INSERT OR DELETE OR UPDATE ON public.service_charges FOR EACH ROW EXECUTE FUNCTION audit_row('service_charge', '{}', '{}', 'ServiceCharge');

CREATE TRIGGER services_audit AFTER INSERT OR DELETE OR UPDATE ON public.services FOR EACH ROW EXECUTE FUNCTION audit_row('service', '{}', '{}', 'Service');

COMMENT ON INDEX journal_entries_pkey IS 'key of the rows';
COMMENT ON INDEX journal_states_pkey IS 'key of the rows';
COMMENT ON INDEX journal_entries_at_idx IS 'Old entries are removed by age.';
