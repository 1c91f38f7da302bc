ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_actor_kind_check";
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_actor_key_check";
