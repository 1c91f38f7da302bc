ALTER TABLE stored_files DROP CONSTRAINT stored_files_bytes_check;

-- The next migration validates it, so that no write waits until all rows are read.
ALTER TABLE stored_files ADD CONSTRAINT stored_files_bytes_check CHECK ((bytes >= 0)) NOT VALID;
