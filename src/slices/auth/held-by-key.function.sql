-- Says what a key for machines holds now: those of its roles that whoever made it holds, up to the admin or the platform at the
-- beginning. No roles at all (null) for a key that is revoked or has expired, or whose maker is, is suspended or deleted. An admin
-- who has yet to enrol the second factor that its type requires holds nothing.
CREATE OR REPLACE FUNCTION "held_by_key"(_company_id integer, _id integer, OUT "roles" text[], OUT "most_posted_e2" bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _key "api_keys";
    _admin "admins";
    _type "admin_types";
    _held text[];
BEGIN
    LOOP
        SELECT * INTO _key FROM "api_keys" WHERE "company_id" = _company_id AND "id" = coalesce(_key."made_by_key_id", _id);
        IF NOT FOUND OR _key."revoked_at" IS NOT NULL OR _key."expires_at" <= now() THEN
            RETURN;
        END IF;
        _held := CASE WHEN _held IS NULL THEN _key."roles"
                      ELSE ARRAY(SELECT r FROM unnest(_held) AS r WHERE r = ANY (_key."roles")) END;
        EXIT WHEN _key."made_by_key_id" IS NULL;
    END LOOP;
    IF _key."made_by_id" IS NOT NULL THEN
        SELECT * INTO _admin FROM "admins"
         WHERE "company_id" = _company_id AND "id" = _key."made_by_id" AND "deleted_at" IS NULL AND "suspended_at" IS NULL;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        SELECT * INTO _type FROM "admin_types" WHERE "company_id" = _company_id AND "id" = _admin."admin_type_id";
        IF _type."requires_second_factor" AND NOT EXISTS (
            SELECT FROM "second_factors"
             WHERE "company_id" = _company_id AND "admin_id" = _admin."id" AND "confirmed_at" IS NOT NULL) THEN
            _held := '{}';
        ELSIF NOT (_admin."is_owner" OR _admin."is_full_admin") THEN
            _held := ARRAY(
                SELECT r FROM unnest(_held) AS r
                 WHERE EXISTS (SELECT FROM "admin_type_roles" AS t
                                WHERE t."company_id" = _company_id AND t."admin_type_id" = _admin."admin_type_id" AND t."role" = r));
            "most_posted_e2" := _type."most_posted_e2";
        END IF;
    END IF;
    "roles" := _held;
END
$$;
