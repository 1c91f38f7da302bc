-- Moves the versions of "admin_types" whose parts in "admin_type_roles" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_admin_types_of_admin_type_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_admin_types_of_admin_type_roles', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.admin_types', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "admin_types" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "admin_types"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'AdminType', 'update', _id, '{roles}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_admin_types_of_admin_type_roles', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "admins" whose parts in "second_factors" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_admins_of_second_factors"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_admins_of_second_factors', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.admins', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    IF OLD."confirmed_at" IS NOT DISTINCT FROM NEW."confirmed_at" THEN RETURN NULL; END IF;
    UPDATE "admins" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "admins"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Admin', 'update', _id, '{second_factor}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_admins_of_second_factors', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "branch_goods" whose parts in "branch_good_properties" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_branch_goods_of_branch_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_branch_goods_of_branch_good_properties', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.branch_goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "branch_goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "branch_goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'BranchGood', 'update', _id, '{branch_good_properties}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_branch_goods_of_branch_good_properties', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "clients" whose parts in "client_admins" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_clients_of_client_admins"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_clients_of_client_admins', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.clients', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "clients" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "clients"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Client', 'update', _id, '{admins}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_clients_of_client_admins', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "companies" whose parts in "company_settings" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_companies_of_company_settings"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_companies_of_company_settings', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.companies', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "companies" SET "version" = "version" + 1
     WHERE "id" IN (OLD."company_id", NEW."company_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "id", "id" FROM "companies"
         WHERE "id" IN (OLD."company_id", NEW."company_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Company', 'update', _id, '{settings}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_companies_of_company_settings', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branch_groups" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_coupons_of_coupon_branch_groups', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.coupons', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "coupons"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Coupon', 'update', _id, '{branch_groups}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_coupons_of_coupon_branch_groups', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "coupons" whose parts in "coupon_branches" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_coupons_of_coupon_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_coupons_of_coupon_branches', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.coupons', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "coupons"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Coupon', 'update', _id, '{branches}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_coupons_of_coupon_branches', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "good_tags" whose parts in "good_tag_goods" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_good_tags_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_good_tags_of_good_tag_goods', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.good_tags', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "good_tags" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "good_tags"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'GoodTag', 'update', _id, '{goods}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_good_tags_of_good_tag_goods', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "branch_goods" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_branch_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_goods_of_branch_goods', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', 'update', _id, '{branch_goods}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_goods_of_branch_goods', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_categories" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_goods_of_good_categories', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', 'update', _id, '{categories}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_goods_of_good_categories', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_materials" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_materials"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_goods_of_good_materials', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', 'update', _id, '{materials}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_goods_of_good_materials', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_properties" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_properties"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_goods_of_good_properties', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', 'update', _id, '{properties}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_goods_of_good_properties', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "goods" whose parts in "good_tag_goods" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_goods_of_good_tag_goods"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_goods_of_good_tag_goods', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.goods', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', 'update', _id, '{tags}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_goods_of_good_tag_goods', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "orders" whose parts in "order_items" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_orders_of_order_items"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_orders_of_order_items', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.orders', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "orders" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "orders"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Order', 'update', _id, '{items}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_orders_of_order_items', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "promoted_banners" whose parts in "promoted_banner_branch_categories" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_promoted_banners_of_promoted_banner_branch_categories"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_promoted_banners_of_promoted_banner_branch_categories', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.promoted_banners', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "promoted_banners" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "promoted_banners"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'PromotedBanner', 'update', _id, '{branch_categories}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_promoted_banners_of_promoted_banner_branch_categories', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_options" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_options"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_properties_of_property_options', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.properties', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', 'update', _id, '{property_options}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_properties_of_property_options', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_ranges" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_ranges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_properties_of_property_ranges', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.properties', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', 'update', _id, '{property_range}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_properties_of_property_ranges', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "properties" whose parts in "property_texts" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_properties_of_property_texts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_properties_of_property_texts', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.properties', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', 'update', _id, '{property_text}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_properties_of_property_texts', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Moves the versions of "providers" whose parts in "provider_branch_groups" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_providers_of_provider_branch_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_providers_of_provider_branch_groups', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.providers', true), '');
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "providers" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "providers"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Provider', 'update', _id, '{branch_groups}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_providers_of_provider_branch_groups', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Remembers for the rest of the transaction that the version of a row, of the table that the trigger names, is of another transaction,
-- which has moved it since this one began. This one writes the row, maybe without a change that moves it: then the row has the number of
-- this transaction and a moment that is not before it, as one that it has moved.
CREATE OR REPLACE FUNCTION "note_foreign_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _name CONSTANT text := 'versions.' || TG_ARGV[0];
BEGIN
    IF NOT "wrote_row"(OLD.xmin) THEN
        PERFORM set_config(
            _name, coalesce(nullif(current_setting(_name, true), ''), ',') || OLD."id" || '/' || OLD."version" || ',', true);
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER admin_types_foreign_version BEFORE UPDATE ON public.admin_types FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('admin_types');

CREATE TRIGGER admins_foreign_version BEFORE UPDATE ON public.admins FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('admins');

CREATE TRIGGER branch_goods_foreign_version BEFORE UPDATE ON public.branch_goods FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('branch_goods');

CREATE TRIGGER clients_foreign_version BEFORE UPDATE ON public.clients FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('clients');

CREATE TRIGGER companies_foreign_version BEFORE UPDATE ON public.companies FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('companies');

CREATE TRIGGER coupons_foreign_version BEFORE UPDATE ON public.coupons FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('coupons');

CREATE TRIGGER good_tags_foreign_version BEFORE UPDATE ON public.good_tags FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('good_tags');

CREATE TRIGGER goods_foreign_version BEFORE UPDATE ON public.goods FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('goods');

CREATE TRIGGER orders_foreign_version BEFORE UPDATE ON public.orders FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('orders');

CREATE TRIGGER promoted_banners_foreign_version BEFORE UPDATE ON public.promoted_banners FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('promoted_banners');

CREATE TRIGGER properties_foreign_version BEFORE UPDATE ON public.properties FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('properties');

CREATE TRIGGER providers_foreign_version BEFORE UPDATE ON public.providers FOR EACH ROW WHEN ((old.updated_at >= date_trunc('milliseconds'::text, transaction_began()))) EXECUTE FUNCTION note_foreign_version('providers');
