-- CreateTable
CREATE TABLE "audit_entries" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operation" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "actor_kind" TEXT,
    "admin_id" INTEGER,
    "client_id" INTEGER,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" BIGINT,
    "target_key" JSONB,
    "changes" JSONB NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "audit_entries_company_id_created_at_id_idx" ON "audit_entries"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_operation_id_idx" ON "audit_entries"("company_id", "operation", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_request_id_id_idx" ON "audit_entries"("company_id", "request_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_client_id_id_idx" ON "audit_entries"("company_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_admin_id_id_idx" ON "audit_entries"("company_id", "admin_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_target_type_id_idx" ON "audit_entries"("company_id", "target_type", "id");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_target_id_id_idx" ON "audit_entries"("company_id", "target_id", "id");

-- Returns what differs between two states of a row, by column: the value before and the value after. Of columns that hold
-- objects it tells the keys that differ, such as "config.limit". Values of hidden columns are only told as set or not.
-- Null when nothing differs but "updated_at".
CREATE OR REPLACE FUNCTION "audit_changes"(_old jsonb, _new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    WITH "columns" AS (
        SELECT key AS path, key = ANY (_hidden) AS hidden,
               coalesce(_old -> key, 'null') AS before, coalesce(_new -> key, 'null') AS after
          FROM jsonb_object_keys(_old || _new) AS key
         WHERE key NOT IN ('company_id', 'updated_at')
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
    SELECT jsonb_object_agg(path, jsonb_build_array(
               CASE WHEN hidden AND before <> 'null' THEN '"********"' ELSE before END,
               CASE WHEN hidden AND after <> 'null' THEN '"********"' ELSE after END))
      FROM "values"
$$;

-- Writes an entry of the audit trail for a row that has changed. The trigger names the kind of row, the columns whose values
-- are not told, and the columns of a key that is no "id". Who acts stands in the setting "audit.context" of the
-- transaction. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := current_setting('audit.context');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb := "audit_changes"(_old, _new, _hidden);
BEGIN
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    VALUES (
        coalesce(_row ->> 'company_id', _row ->> 'id')::integer,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
        CASE TG_OP
            WHEN 'INSERT' THEN 'create'
            WHEN 'DELETE' THEN 'delete'
            ELSE CASE
                WHEN _old ->> 'deleted_at' IS NULL AND _new ->> 'deleted_at' IS NOT NULL THEN 'delete'
                WHEN _old ->> 'deleted_at' IS NOT NULL AND _new ->> 'deleted_at' IS NULL THEN 'restore'
                ELSE 'update'
            END
        END,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        (SELECT jsonb_object_agg(name, _row -> name) FROM unnest(_key) AS name),
        coalesce(_changes, '{}'));
    RETURN NULL;
END
$$;

-- Removes the oldest entries of the audit trail from before a moment, at most so many, and returns how many. It is the
-- only way to remove entries, and takes none that is younger than a day.
CREATE OR REPLACE FUNCTION "purge_audit_entries"(_before timestamptz, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _count integer;
BEGIN
    PERFORM set_config('audit.purges', 'on', true);
    /* all companies */
    DELETE FROM "audit_entries" WHERE ctid IN (
        SELECT ctid FROM "audit_entries"
         WHERE "created_at" < least(_before, now() - interval '1 day')
         LIMIT _most);
    GET DIAGNOSTICS _count = ROW_COUNT;
    PERFORM set_config('audit.purges', '', true);
    RETURN _count;
END
$$;

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'restore'::text])));

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_check CHECK ((((admin_id IS NOT NULL) = (COALESCE(actor_kind, ''::text) = 'admin'::text)) AND ((client_id IS NOT NULL) = (COALESCE(actor_kind, ''::text) = 'client'::text))));

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['admin'::text, 'client'::text, 'platform'::text])));

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_changes_check CHECK ((jsonb_typeof(changes) = 'object'::text));

CREATE TRIGGER admin_type_roles_audit AFTER INSERT OR DELETE OR UPDATE ON public.admin_type_roles FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('admin_type_role');

CREATE TRIGGER admin_types_audit AFTER INSERT OR DELETE OR UPDATE ON public.admin_types FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('admin_type');

CREATE TRIGGER admins_audit AFTER INSERT OR DELETE OR UPDATE ON public.admins FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('admin', '{password_hash}');

CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW WHEN ((COALESCE(current_setting('audit.purges'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_not_changed BEFORE UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER branch_categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_categories FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch_category');

CREATE TRIGGER branch_good_properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_good_properties FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch_good_property');

CREATE TRIGGER branch_goods_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_goods FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch_good');

CREATE TRIGGER branch_groups_audit AFTER INSERT OR DELETE OR UPDATE ON public.branch_groups FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch_group');

CREATE TRIGGER branches_audit AFTER INSERT OR DELETE OR UPDATE ON public.branches FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch');

CREATE TRIGGER carts_audit AFTER INSERT OR DELETE OR UPDATE ON public.carts FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('cart');

CREATE TRIGGER categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.categories FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('category');

CREATE TRIGGER cities_audit AFTER INSERT OR DELETE OR UPDATE ON public.cities FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('city');

CREATE TRIGGER client_admins_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_admins FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('client_admin', '{}', '{client_id,admin_id}');

CREATE TRIGGER client_favorites_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_favorites FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('client_favorite', '{}', '{client_id,good_id}');

CREATE TRIGGER clients_audit AFTER INSERT OR DELETE OR UPDATE ON public.clients FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('client');

CREATE TRIGGER companies_audit AFTER INSERT OR DELETE OR UPDATE ON public.companies FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('company');

CREATE TRIGGER company_events_audit AFTER INSERT OR DELETE OR UPDATE ON public.company_events FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('company_event', '{seed}');

CREATE TRIGGER company_settings_audit AFTER INSERT OR DELETE OR UPDATE ON public.company_settings FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('company_settings', '{secrets}');

CREATE TRIGGER coupon_branch_groups_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupon_branch_groups FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('coupon_branch_group', '{}', '{coupon_id,branch_group_id}');

CREATE TRIGGER coupon_branches_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupon_branches FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('coupon_branch', '{}', '{coupon_id,branch_id}');

CREATE TRIGGER coupons_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupons FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('coupon');

CREATE TRIGGER fleets_audit AFTER INSERT OR DELETE OR UPDATE ON public.fleets FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('fleet');

CREATE TRIGGER geofences_audit AFTER INSERT OR DELETE OR UPDATE ON public.geofences FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('geofence');

CREATE TRIGGER good_categories_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_categories FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_category', '{}', '{category_id,good_id}');

CREATE TRIGGER good_materials_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_materials FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_material', '{}', '{good_id,material_id}');

CREATE TRIGGER good_properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_properties FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_property');

CREATE TRIGGER good_tag_goods_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_tag_goods FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_tag_good', '{}', '{good_tag_id,good_id}');

CREATE TRIGGER good_tags_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_tags FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_tag');

CREATE TRIGGER good_types_audit AFTER INSERT OR DELETE OR UPDATE ON public.good_types FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_type');

CREATE TRIGGER goods_audit AFTER INSERT OR DELETE OR UPDATE ON public.goods FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good');

CREATE TRIGGER materials_audit AFTER INSERT OR DELETE OR UPDATE ON public.materials FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('material');

CREATE TRIGGER orders_audit AFTER INSERT OR DELETE OR UPDATE ON public.orders FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('order');

CREATE TRIGGER password_setup_tokens_audit AFTER INSERT OR DELETE OR UPDATE ON public.password_setup_tokens FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('password_setup_token', '{token_hash}');

CREATE TRIGGER properties_audit AFTER INSERT OR DELETE OR UPDATE ON public.properties FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('property');

CREATE TRIGGER property_options_audit AFTER INSERT OR DELETE OR UPDATE ON public.property_options FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('property_option');

CREATE TRIGGER property_ranges_audit AFTER INSERT OR DELETE OR UPDATE ON public.property_ranges FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('property_range', '{}', '{property_id}');

CREATE TRIGGER property_texts_audit AFTER INSERT OR DELETE OR UPDATE ON public.property_texts FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('property_text', '{}', '{property_id}');

CREATE TRIGGER provider_branch_groups_audit AFTER INSERT OR DELETE OR UPDATE ON public.provider_branch_groups FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('provider_branch_group', '{}', '{provider_id,branch_group_id}');

CREATE TRIGGER providers_audit AFTER INSERT OR DELETE OR UPDATE ON public.providers FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('provider');

CREATE TRIGGER refresh_tokens_audit AFTER INSERT OR DELETE OR UPDATE ON public.refresh_tokens FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('refresh_token', '{token_hash}');

CREATE TRIGGER service_charges_audit AFTER INSERT OR DELETE OR UPDATE ON public.service_charges FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('service_charge');

CREATE TRIGGER services_audit AFTER INSERT OR DELETE OR UPDATE ON public.services FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('service');

-- Not even the owner changes entries. A service that does not own its tables needs no right but to read them.
REVOKE UPDATE, TRUNCATE ON "audit_entries" FROM PUBLIC, CURRENT_USER;
