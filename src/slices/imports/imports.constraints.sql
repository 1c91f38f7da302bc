-- Every row keeps these checks, whoever writes it.
ALTER TABLE "import_jobs"
    ADD CONSTRAINT "import_jobs_status_check" CHECK ("status" IN ('scheduled', 'queued', 'running', 'finished', 'failed')),
    ADD CONSTRAINT "import_jobs_file_name_check" CHECK (char_length("file_name") <= 255),
    ADD CONSTRAINT "import_jobs_options_check" CHECK (jsonb_typeof("options") = 'object'),
    ADD CONSTRAINT "import_jobs_counts_check" CHECK ("imported" >= 0 AND "updated" >= "unchanged" AND "unchanged" >= 0 AND "failed" >= 0 AND "imported" + "updated" + "failed" = "total_rows"),
    ADD CONSTRAINT "import_jobs_pictures_check" CHECK ("pictures_fetched" >= 0 AND "pictures_failed" >= 0 AND "pictures_fetched" + "pictures_failed" <= "pictures_wanted"),
    ADD CONSTRAINT "import_jobs_file_read_check" CHECK ("file_read" BETWEEN 0 AND 1),
    ADD CONSTRAINT "import_jobs_lists_check" CHECK ("unknown_categories" IS NOT NULL AND jsonb_typeof("columns") = 'array' AND jsonb_typeof("preview") = 'array'),
    ADD CONSTRAINT "import_jobs_error_counts_check" CHECK (jsonb_typeof("error_counts") = 'array');

ALTER TABLE "import_errors"
    ADD CONSTRAINT "import_errors_row_check" CHECK ("row" >= 1 AND "place" >= 0);

CREATE TRIGGER "import_jobs_file" AFTER INSERT OR DELETE OR UPDATE OF "file_key" ON "import_jobs" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('file_key');
CREATE TRIGGER "import_jobs_report" AFTER INSERT OR DELETE OR UPDATE OF "report_key" ON "import_jobs" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('report_key');
CREATE TRIGGER "import_jobs_changes" AFTER INSERT OR DELETE OR UPDATE OF "changes_key" ON "import_jobs" FOR EACH ROW
    EXECUTE FUNCTION "own_file"('changes_key');

ALTER TABLE "import_changes"
    ADD CONSTRAINT "import_changes_row_check" CHECK ("row" >= 1 AND "place" >= 0 AND jsonb_typeof("changes") = 'object');
