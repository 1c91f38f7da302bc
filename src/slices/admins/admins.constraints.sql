-- Every row keeps these checks, whoever writes it.

ALTER TABLE "admins"
    ADD CONSTRAINT "admins_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "admins_email_check" CHECK (char_length("email") BETWEEN 1 AND 254),
    ADD CONSTRAINT "admins_status_check" CHECK ("status" >= 0),
    ADD CONSTRAINT "admins_settings_check" CHECK (jsonb_typeof("settings") = 'object');

ALTER TABLE "admin_types"
    ADD CONSTRAINT "admin_types_name_check" CHECK (char_length("name") <= 32),
    ADD CONSTRAINT "admin_types_default_key_check" CHECK (char_length("default_key") <= 32),
    ADD CONSTRAINT "admin_types_most_posted_e2_check" CHECK ("most_posted_e2" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "admin_types_content_check" CHECK (jsonb_typeof("content") = 'array');

ALTER TABLE "admin_type_roles"
    ADD CONSTRAINT "admin_type_roles_role_check" CHECK ("role" ~ '^(access_|can_).');

-- An admin owns the file of its avatar.
CREATE TRIGGER "admins_avatar" AFTER INSERT OR DELETE OR UPDATE OF "avatar_key" ON "admins" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('avatar_key');
