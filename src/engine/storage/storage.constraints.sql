-- The name of a file is random, never a caller's. One that the store did not take counts nothing until its row goes.
ALTER TABLE "stored_files"
    ADD CONSTRAINT "stored_files_key_check" CHECK ("key" ~ '^[0-9a-f]{32}[.](jpg|png|xlsx|xlsm|xltx|xltm|xls|xlt|ods|ots|slk|xml|gnumeric|htm|html|csv|tsv|txt)$'),
    ADD CONSTRAINT "stored_files_bytes_check" CHECK ("bytes" >= 0),
    ADD CONSTRAINT "stored_files_size_check" CHECK (CASE WHEN "content_type" LIKE 'image/%' THEN coalesce("width" > 0 AND "height" > 0, false) ELSE num_nonnulls("width", "height") = 0 END),
    ADD CONSTRAINT "stored_files_state_check" CHECK ("state" IN ('pending', 'used', 'unused'));

-- The bytes of its files are what a company uses of the quota "storage".
CREATE TRIGGER "stored_files_usage_added" AFTER INSERT ON "stored_files" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_usage"('storage', 'bytes');
CREATE TRIGGER "stored_files_usage_removed" AFTER DELETE ON "stored_files" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_usage"('storage', 'bytes');
