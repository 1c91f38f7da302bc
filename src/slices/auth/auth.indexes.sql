-- Each request asks whether the login of its token goes on.
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens"("company_id", "session_id"("family_id")) WHERE "revoked_at" IS NULL;
