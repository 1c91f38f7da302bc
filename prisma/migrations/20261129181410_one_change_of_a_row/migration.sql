-- Moves the versions of "admin_types" whose parts in "admin_type_roles" change, and notes it in the journal, both once in a transaction.
CREATE OR REPLACE FUNCTION "move_admin_types_of_admin_type_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _noted text := coalesce(nullif(current_setting('journal.move_admin_types_of_admin_type_roles', true), ''), ',');
    _foreign CONSTANT text := coalesce(current_setting('versions.admin_types', true), '');
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "admin_types" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "admin_types"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_type_id", NEW."admin_type_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'AdminType', _action, _id, '{roles}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    IF OLD."confirmed_at" IS NOT DISTINCT FROM NEW."confirmed_at" THEN RETURN NULL; END IF;
    UPDATE "admins" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "admins"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."admin_id", NEW."admin_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Admin', _action, _id, '{second_factor}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "branch_goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "branch_goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."branch_good_id", NEW."branch_good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'BranchGood', _action, _id, '{branch_good_properties}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "clients" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "clients"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."client_id", NEW."client_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Client', _action, _id, '{admins}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "companies" SET "version" = "version" + 1
     WHERE "id" IN (OLD."company_id", NEW."company_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "id", "id" FROM "companies"
         WHERE "id" IN (OLD."company_id", NEW."company_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Company', _action, _id, '{settings}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "coupons"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Coupon', _action, _id, '{branch_groups}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "coupons" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "coupons"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."coupon_id", NEW."coupon_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Coupon', _action, _id, '{branches}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "good_tags" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "good_tags"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_tag_id", NEW."good_tag_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'GoodTag', _action, _id, '{goods}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', _action, _id, '{branch_goods}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', _action, _id, '{categories}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', _action, _id, '{materials}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', _action, _id, '{properties}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "goods" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "goods"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."good_id", NEW."good_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Good', _action, _id, '{tags}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "orders" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "orders"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."order_id", NEW."order_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Order', _action, _id, '{items}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "promoted_banners" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "promoted_banners"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."promoted_banner_id", NEW."promoted_banner_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'PromotedBanner', _action, _id, '{branch_categories}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', _action, _id, '{property_options}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', _action, _id, '{property_range}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "properties" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "properties"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."property_id", NEW."property_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Property', _action, _id, '{property_text}',
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
    _action text;
    _company_id integer;
    _id bigint;
BEGIN
    UPDATE "providers" SET "version" = "version" + 1
     WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
       AND NOT ("updated_at" >= date_trunc('milliseconds', "transaction_began"()) AND "wrote_row"(xmin)
                AND strpos(_foreign, ',' || "id" || '/' || "version" || ',') = 0);
    _action := CASE WHEN FOUND THEN 'update' ELSE 'part' END;
    FOR _company_id, _id IN
        SELECT "company_id", "id" FROM "providers"
         WHERE "company_id" = coalesce(NEW."company_id", OLD."company_id") AND "id" IN (OLD."provider_id", NEW."provider_id")
           AND NOT ("version" = 1 AND "wrote_row"(xmin)) AND strpos(_noted, ',' || "id" || ',') = 0
    LOOP
        PERFORM "note_change"(
            _company_id, 'Provider', _action, _id, '{branch_groups}',
            nullif(current_setting('audit.context', true), '')::jsonb);
        _noted := CASE WHEN length(_noted) < 60000 THEN _noted ELSE ',' END || _id || ',';
        PERFORM set_config('journal.move_providers_of_provider_branch_groups', _noted, true);
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what. A transaction that has changed a row behind another one
-- with a later number goes on by the latest number that had ended by then, so that changes of one row stand in their order. The first
-- entry of a company in a transaction goes with a message to the service, which spreads the news. What a job does is nobody's act, also
-- where the trail has it in the name of whoever asked for it.
-- A 'part' is a change of parts with which the version of their whole does not move, since this transaction has moved it: it goes into the
-- entry of that move. A setting of the transaction remembers the latest entry of each row, and begins anew when it is full: then the
-- change has an entry of its own.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _by CONSTANT jsonb := CASE WHEN _context ? 'isJob' THEN NULL ELSE _context END;
    _name CONSTANT text := 'entries.' || _type;
    _entries text := coalesce(nullif(current_setting(_name, true), ''), ',');
    _at CONSTANT integer := CASE WHEN _action = 'part' THEN strpos(_entries, ',' || _entity_id || '/') ELSE 0 END;
    _place text;
BEGIN
    IF _at > 0 THEN
        _place := split_part(substr(_entries, _at + 1), ',', 1);
        UPDATE "journal_entries" SET "fields" = ARRAY(SELECT DISTINCT unnest("fields" || _fields))
         WHERE "company_id" = _company_id
           AND "transaction" = split_part(_place, '/', 2)::bigint AND "id" = split_part(_place, '/', 3)::bigint;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "place", "request_id", "actor_kind",
         "actor_id", "trace_parent")
    VALUES (
        _company_id,
        greatest(pg_current_xact_id()::text::bigint, nullif(current_setting('journal.place', true), '')::bigint),
        date_trunc('milliseconds', clock_timestamp()), _type,
        CASE WHEN _action = 'create' THEN 'created' WHEN _action = 'delete' THEN 'deleted' WHEN _action = 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context -> 'place', _by ->> 'requestId', _by ->> 'actorKind',
        coalesce(_by ->> 'adminId', _by ->> 'clientId', _by ->> 'apiKeyId')::integer,
        _context ->> 'traceParent')
    RETURNING concat_ws('/', "entity_id", "transaction", "id") INTO _place;
    IF _action IN ('update', 'part') THEN
        PERFORM set_config(_name, ',' || _place || CASE WHEN length(_entries) < 60000 THEN _entries ELSE ',' END, true);
    END IF;
    IF current_setting('journal.company', true) IS DISTINCT FROM _company_id::text THEN
        PERFORM set_config('journal.company', _company_id::text, true);
        RAISE INFO 'entries of the journal' USING ERRCODE = 'UT002', DETAIL = _company_id::text;
    END IF;
END
$$;
