-- Says for the rest of the transaction who acts, as JSON; '' says nobody. It sets "audit.context" by the statement, which a distributed database
-- tells its workers, where the function "set_config" would tell the coordinator alone; there it tells them since when, too, for
-- "transaction_began".
CREATE OR REPLACE FUNCTION "act_as"(_actor text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL audit.context = %L', _actor);
    IF "is_distributed"() THEN
        EXECUTE format('SET LOCAL audit.began = %L', now());
    END IF;
END
$$;

-- Moves the versions of "admin_types" whose parts in "admin_type_roles" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_admin_types_of_admin_type_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "admin_types" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
    PERFORM "note_change"(
        "company_id", 'AdminType', 'update', "id", '{roles}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "admin_types"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "admins" whose parts in "second_factors" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_admins_of_second_factors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."confirmed_at" IS NOT DISTINCT FROM NEW."confirmed_at" THEN RETURN NULL; END IF;
    UPDATE "admins" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
    PERFORM "note_change"(
        "company_id", 'Admin', 'update', "id", '{second_factor}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "admins"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Moves the versions of "branch_goods" whose parts in "branch_good_properties" change, once in a transaction, and notes it in the journal.
CREATE OR REPLACE FUNCTION "move_branch_goods_of_branch_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "branch_goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
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
       AND NOT (xmin = pg_current_xact_id()::xid AND "updated_at" >= date_trunc('milliseconds', "transaction_began"()));
    PERFORM "note_change"(
        "company_id", 'Provider', 'update', "id", '{branch_groups}',
        nullif(current_setting('audit.context', true), '')::jsonb)
       FROM "providers"
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT (xmin = pg_current_xact_id()::xid AND "version" = 1);
    RETURN NULL;
END
$$;

-- Returns since when the transaction runs: no row that it makes has an earlier moment. A worker of a distributed database begins its part later,
-- when the coordinator has given moments to rows already; "act_as" tells it.
CREATE OR REPLACE FUNCTION "transaction_began"() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT least(now(), nullif(current_setting('audit.began', true), '')::timestamptz)
$$;
