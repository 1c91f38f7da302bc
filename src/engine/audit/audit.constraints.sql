-- Entries stay as they were written, whoever writes. Only "purge_audit_entries" removes them, by age, and only an erasure takes what is
-- known of a person out of them.
CREATE TRIGGER "audit_entries_kept" AFTER DELETE ON "audit_entries" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit_entries"();
CREATE TRIGGER "audit_entries_not_changed" AFTER UPDATE ON "audit_entries"
    REFERENCING OLD TABLE AS "replaced" NEW TABLE AS "written"
    FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit_values"();
CREATE TRIGGER "audit_entries_not_emptied" BEFORE TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_erasures_transaction" BEFORE INSERT ON "audit_erasures"
    FOR EACH ROW EXECUTE FUNCTION "name_transaction"();
CREATE TRIGGER "audit_erasures_not_emptied" BEFORE TRUNCATE ON "audit_erasures"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_purges_not_emptied" BEFORE TRUNCATE ON "audit_purges"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "audit_purges"
    ADD CONSTRAINT "audit_purges_id_check" CHECK ("id" = 1);

ALTER TABLE "audit_entries"
    ADD CONSTRAINT "audit_entries_actor_kind_check" CHECK ("actor_kind" IN ('admin', 'client', 'platform', 'key')),
    ADD CONSTRAINT "audit_entries_actor_check" CHECK (("admin_id" IS NOT NULL) = (coalesce("actor_kind", '') = 'admin') AND ("client_id" IS NOT NULL) = (coalesce("actor_kind", '') = 'client')),
    ADD CONSTRAINT "audit_entries_actor_key_check" CHECK (("api_key_id" IS NOT NULL) = (coalesce("actor_kind", '') = 'key')),
    ADD CONSTRAINT "audit_entries_action_check" CHECK ("action" IN ('create', 'update', 'delete', 'restore', 'sign_in', 'sign_in_refused', 'lock_out', 'session_end', 'export', 'import', 'erase')),
    ADD CONSTRAINT "audit_entries_changes_check" CHECK (jsonb_typeof("changes") = 'object');
