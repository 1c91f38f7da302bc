-- A file is the avatar of one admin.
CREATE UNIQUE INDEX CONCURRENTLY "admins_company_id_avatar_key_key" ON "admins"("company_id", "avatar_key");
