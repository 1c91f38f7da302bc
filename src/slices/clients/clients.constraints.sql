-- Every row keeps these checks, whoever writes it.

ALTER TABLE "clients"
    ADD CONSTRAINT "clients_name_check" CHECK (char_length("name") <= 255),
    ADD CONSTRAINT "clients_email_check" CHECK (char_length("email") BETWEEN 1 AND 254),
    ADD CONSTRAINT "clients_external_id_check" CHECK (char_length("external_id") BETWEEN 1 AND 64);

ALTER TABLE "client_segments"
    ADD CONSTRAINT "client_segments_name_check" CHECK (char_length("name") <= 64),
    ADD CONSTRAINT "client_segments_listed_count_check" CHECK ("listed_count" >= 0),
    ADD CONSTRAINT "client_segments_filter_check" CHECK (jsonb_typeof("filter") = 'object');

ALTER TABLE "client_segment_uploads"
    ADD CONSTRAINT "client_segment_uploads_status_check" CHECK ("status" IN ('queued', 'running', 'finished', 'failed')),
    ADD CONSTRAINT "client_segment_uploads_file_name_check" CHECK (char_length("file_name") <= 255),
    ADD CONSTRAINT "client_segment_uploads_counts_check" CHECK ("added" >= 0 AND "failed" >= 0 AND "added" + "failed" <= "total" AND "next_line" >= 1),
    ADD CONSTRAINT "client_segment_uploads_file_read_check" CHECK ("file_read" BETWEEN 0 AND 1),
    ADD CONSTRAINT "client_segment_uploads_errors_check" CHECK (jsonb_typeof("errors") = 'array');

-- The file of a list of clients is in use as long as its row names it.
CREATE TRIGGER "client_segment_uploads_file" AFTER INSERT OR DELETE OR UPDATE OF "file_key" ON "client_segment_uploads" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('file_key');
