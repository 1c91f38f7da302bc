-- Every row keeps these checks, whoever writes it.

ALTER TABLE "refresh_tokens"
    ADD CONSTRAINT "refresh_tokens_subject_kind_check" CHECK ("subject_kind" IN ('admin', 'client'));

-- Logins of admins stand in the audit trail, from their first token on to the revocation of the last.
CREATE TRIGGER "refresh_tokens_sign_in" AFTER INSERT ON "refresh_tokens" FOR EACH ROW
    WHEN (NEW."subject_kind" = 'admin' AND current_setting('audit.context', true) <> '')
    EXECUTE FUNCTION "audit_session"();
CREATE TRIGGER "refresh_tokens_session_end" AFTER UPDATE OF "revoked_at" ON "refresh_tokens" FOR EACH ROW
    WHEN (NEW."subject_kind" = 'admin' AND OLD."revoked_at" IS NULL AND NEW."revoked_at" IS NOT NULL AND NEW."replaced_by_id" IS NULL)
    EXECUTE FUNCTION "audit_session"();
