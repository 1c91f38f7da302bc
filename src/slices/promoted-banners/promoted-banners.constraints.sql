-- Every row keeps these checks, whoever writes it.

ALTER TABLE "promoted_banners"
    ADD CONSTRAINT "promoted_banners_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "promoted_banners_description_check" CHECK (char_length("description") <= 255),
    ADD CONSTRAINT "promoted_banners_action_check" CHECK ("action" = 'view'),
    ADD CONSTRAINT "promoted_banners_days_check" CHECK ("days" BETWEEN 0 AND 127),
    ADD CONSTRAINT "promoted_banners_hours_check" CHECK ("hour_from" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND "hour_to" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "promoted_banners_tz_check" CHECK ("tz" ~ '^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$'),
    -- The target is in the column of its kind and in no other, so that its foreign key keeps it in the company.
    ADD CONSTRAINT "promoted_banners_target_check" CHECK (
        coalesce(CASE "target_type"
            WHEN 'company' THEN "company_id"
            WHEN 'branch_group' THEN "branch_group_id"
            WHEN 'good' THEN "good_id"
            WHEN 'branch_category' THEN "branch_category_id"
            WHEN 'city' THEN "city_id"
        END = "target_id", false)
        AND num_nonnulls("branch_group_id", "good_id", "branch_category_id", "city_id") = CASE "target_type" WHEN 'company' THEN 0 ELSE 1 END);

-- A banner owns the files of its pictures.
CREATE TRIGGER "promoted_banners_banner" AFTER INSERT OR DELETE OR UPDATE OF "banner_key" ON "promoted_banners" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('banner_key');
CREATE TRIGGER "promoted_banners_vertical_banner" AFTER INSERT OR DELETE OR UPDATE OF "vertical_banner_key" ON "promoted_banners" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('vertical_banner_key');
