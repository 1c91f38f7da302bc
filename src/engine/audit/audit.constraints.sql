-- Entries stay as they were written, whoever writes. Only "purge_audit_entries" removes them, by age.
CREATE TRIGGER "audit_entries_kept" AFTER DELETE ON "audit_entries" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit_entries"();
CREATE TRIGGER "audit_entries_not_changed" BEFORE UPDATE OR TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_purges_not_emptied" BEFORE TRUNCATE ON "audit_purges"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "audit_purges"
    ADD CONSTRAINT "audit_purges_id_check" CHECK ("id" = 1);

ALTER TABLE "audit_entries"
    ADD CONSTRAINT "audit_entries_actor_kind_check" CHECK ("actor_kind" IN ('admin', 'client', 'platform')),
    ADD CONSTRAINT "audit_entries_actor_check" CHECK (("admin_id" IS NOT NULL) = (coalesce("actor_kind", '') = 'admin') AND ("client_id" IS NOT NULL) = (coalesce("actor_kind", '') = 'client')),
    ADD CONSTRAINT "audit_entries_action_check" CHECK ("action" IN ('create', 'update', 'delete', 'restore')),
    ADD CONSTRAINT "audit_entries_changes_check" CHECK (jsonb_typeof("changes") = 'object');

-- Every table that audited operations write to: the kind of row, the columns whose values are hidden, the key that is no "id".
CREATE TRIGGER "admins_audit" AFTER INSERT OR UPDATE OR DELETE ON "admins" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('admin', '{password_hash}');
CREATE TRIGGER "admin_types_audit" AFTER INSERT OR UPDATE OR DELETE ON "admin_types" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('admin_type');
CREATE TRIGGER "admin_type_roles_audit" AFTER INSERT OR UPDATE OR DELETE ON "admin_type_roles" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('admin_type_role');
CREATE TRIGGER "balance_holders_audit" AFTER INSERT OR UPDATE OF "floor_e2" OR DELETE ON "balance_holders" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('balance_holder', '{last_hash}', '{type,key,currency_iso}');
CREATE TRIGGER "branches_audit" AFTER INSERT OR UPDATE OR DELETE ON "branches" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('branch');
CREATE TRIGGER "branch_categories_audit" AFTER INSERT OR UPDATE OR DELETE ON "branch_categories" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('branch_category');
CREATE TRIGGER "branch_goods_audit" AFTER UPDATE OR DELETE ON "branch_goods" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('branch_good');
CREATE TRIGGER "branch_good_properties_audit" AFTER INSERT OR UPDATE OR DELETE ON "branch_good_properties" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('branch_good_property');
CREATE TRIGGER "branch_groups_audit" AFTER INSERT OR UPDATE OR DELETE ON "branch_groups" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('branch_group');
CREATE TRIGGER "carts_audit" AFTER INSERT OR UPDATE OR DELETE ON "carts" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('cart');
CREATE TRIGGER "cart_items_audit" AFTER INSERT OR UPDATE OR DELETE ON "cart_items" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('cart_item');
CREATE TRIGGER "categories_audit" AFTER INSERT OR UPDATE OR DELETE ON "categories" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('category');
CREATE TRIGGER "chat_rooms_audit" AFTER INSERT OR UPDATE OR DELETE ON "chat_rooms" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('chat_room');
CREATE TRIGGER "cities_audit" AFTER INSERT OR UPDATE OR DELETE ON "cities" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('city');
CREATE TRIGGER "clients_audit" AFTER INSERT OR UPDATE OR DELETE ON "clients" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('client');
CREATE TRIGGER "client_addresses_audit" AFTER INSERT OR UPDATE OR DELETE ON "client_addresses" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('client_address', '{name,address,address_line_1,address_line_2,address_line_3,reference,latitude_e6,longitude_e6,country,state,city,postal_code}');
CREATE TRIGGER "client_admins_audit" AFTER INSERT OR UPDATE OR DELETE ON "client_admins" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('client_admin', '{}', '{client_id,admin_id}');
CREATE TRIGGER "client_favorites_audit" AFTER INSERT OR UPDATE OR DELETE ON "client_favorites" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('client_favorite', '{}', '{client_id,good_id}');
CREATE TRIGGER "companies_audit" AFTER INSERT OR UPDATE OR DELETE ON "companies" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('company');
CREATE TRIGGER "company_events_audit" AFTER INSERT OR UPDATE OR DELETE ON "company_events" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('company_event', '{seed}');
CREATE TRIGGER "company_settings_audit" AFTER INSERT OR UPDATE OR DELETE ON "company_settings" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('company_settings', '{secrets}');
CREATE TRIGGER "coupons_audit" AFTER INSERT OR UPDATE OR DELETE ON "coupons" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('coupon');
CREATE TRIGGER "coupon_branches_audit" AFTER INSERT OR UPDATE OR DELETE ON "coupon_branches" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('coupon_branch', '{}', '{coupon_id,branch_id}');
CREATE TRIGGER "coupon_branch_groups_audit" AFTER INSERT OR UPDATE OR DELETE ON "coupon_branch_groups" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('coupon_branch_group', '{}', '{coupon_id,branch_group_id}');
CREATE TRIGGER "coupon_code_uploads_audit" AFTER INSERT OR UPDATE OR DELETE ON "coupon_code_uploads" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('coupon_code_upload', '{file_key}');
CREATE TRIGGER "fleets_audit" AFTER INSERT OR UPDATE OR DELETE ON "fleets" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('fleet');
CREATE TRIGGER "forms_audit" AFTER INSERT OR UPDATE OR DELETE ON "forms" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('form');
CREATE TRIGGER "fleet_associations_audit" AFTER INSERT OR UPDATE OR DELETE ON "fleet_associations" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('fleet_association');
CREATE TRIGGER "geofences_audit" AFTER INSERT OR UPDATE OR DELETE ON "geofences" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('geofence');
CREATE TRIGGER "goods_audit" AFTER UPDATE OR DELETE ON "goods" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good');
CREATE TRIGGER "good_categories_audit" AFTER UPDATE OR DELETE ON "good_categories" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_category', '{}', '{category_id,good_id}');
CREATE TRIGGER "good_materials_audit" AFTER INSERT OR UPDATE OR DELETE ON "good_materials" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_material', '{}', '{good_id,material_id}');
CREATE TRIGGER "good_properties_audit" AFTER INSERT OR UPDATE OR DELETE ON "good_properties" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_property');
CREATE TRIGGER "good_tags_audit" AFTER INSERT OR UPDATE OR DELETE ON "good_tags" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_tag');
CREATE TRIGGER "good_tag_goods_audit" AFTER INSERT OR UPDATE OR DELETE ON "good_tag_goods" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_tag_good', '{}', '{good_tag_id,good_id}');
CREATE TRIGGER "good_types_audit" AFTER INSERT OR UPDATE OR DELETE ON "good_types" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('good_type');
CREATE TRIGGER "import_jobs_audit" AFTER INSERT OR UPDATE OR DELETE ON "import_jobs" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('import_job', '{file_key,report_key,actor}');
CREATE TRIGGER "invoice_documents_audit" AFTER INSERT OR UPDATE OR DELETE ON "invoice_documents" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('invoice_document');
CREATE TRIGGER "materials_audit" AFTER INSERT OR UPDATE OR DELETE ON "materials" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('material');
CREATE TRIGGER "orders_audit" AFTER INSERT OR UPDATE OR DELETE ON "orders" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('order');
CREATE TRIGGER "order_items_audit" AFTER INSERT OR UPDATE OR DELETE ON "order_items" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('order_item');
CREATE TRIGGER "password_setup_tokens_audit" AFTER INSERT OR UPDATE OR DELETE ON "password_setup_tokens" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('password_setup_token', '{token_hash}');
CREATE TRIGGER "promoted_banners_audit" AFTER INSERT OR UPDATE OR DELETE ON "promoted_banners" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('promoted_banner');
CREATE TRIGGER "promoted_banner_branch_categories_audit" AFTER INSERT OR UPDATE OR DELETE ON "promoted_banner_branch_categories" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('promoted_banner_branch_category', '{}', '{promoted_banner_id,branch_category_id}');
CREATE TRIGGER "properties_audit" AFTER INSERT OR UPDATE OR DELETE ON "properties" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('property');
CREATE TRIGGER "property_options_audit" AFTER INSERT OR UPDATE OR DELETE ON "property_options" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('property_option');
CREATE TRIGGER "property_ranges_audit" AFTER INSERT OR UPDATE OR DELETE ON "property_ranges" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('property_range', '{}', '{property_id}');
CREATE TRIGGER "property_texts_audit" AFTER INSERT OR UPDATE OR DELETE ON "property_texts" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('property_text', '{}', '{property_id}');
CREATE TRIGGER "providers_audit" AFTER INSERT OR UPDATE OR DELETE ON "providers" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('provider');
CREATE TRIGGER "provider_branch_groups_audit" AFTER INSERT OR UPDATE OR DELETE ON "provider_branch_groups" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('provider_branch_group', '{}', '{provider_id,branch_group_id}');
CREATE TRIGGER "refresh_tokens_audit" AFTER INSERT OR UPDATE OR DELETE ON "refresh_tokens" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('refresh_token', '{token_hash}');
CREATE TRIGGER "services_audit" AFTER INSERT OR UPDATE OR DELETE ON "services" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('service');
CREATE TRIGGER "service_charges_audit" AFTER INSERT OR UPDATE OR DELETE ON "service_charges" FOR EACH ROW WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_row"('service_charge');

-- Where many rows are added at once, the entries of new rows are written once for the whole statement.
CREATE TRIGGER "branch_goods_audit_new" AFTER INSERT ON "branch_goods" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_new_rows"('branch_good');
CREATE TRIGGER "goods_audit_new" AFTER INSERT ON "goods" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_new_rows"('good');
CREATE TRIGGER "good_categories_audit_new" AFTER INSERT ON "good_categories" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT WHEN (current_setting('audit.context', true) <> '') EXECUTE FUNCTION "audit_new_rows"('good_category', '{}', '{category_id,good_id}');
