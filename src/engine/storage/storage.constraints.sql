-- The name of a file is random, never a caller's.
ALTER TABLE "stored_files"
    ADD CONSTRAINT "stored_files_key_check" CHECK ("key" ~ '^[0-9a-f]{32}[.](jpg|png|xlsx|xlsm|xltx|xltm|xls|xlt|ods|ots|slk|xml|gnumeric|htm|html|csv|tsv|txt)$'),
    ADD CONSTRAINT "stored_files_bytes_check" CHECK ("bytes" > 0),
    ADD CONSTRAINT "stored_files_size_check" CHECK (CASE WHEN "content_type" LIKE 'image/%' THEN coalesce("width" > 0 AND "height" > 0, false) ELSE num_nonnulls("width", "height") = 0 END),
    ADD CONSTRAINT "stored_files_state_check" CHECK ("state" IN ('pending', 'used', 'unused'));
