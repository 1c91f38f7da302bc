ALTER TABLE stored_files DROP CONSTRAINT stored_files_key_check;

ALTER TABLE stored_files DROP CONSTRAINT stored_files_size_check;

-- AlterTable
ALTER TABLE "stored_files" ALTER COLUMN "width" DROP NOT NULL,
ALTER COLUMN "height" DROP NOT NULL;

-- CreateTable
CREATE TABLE "import_jobs" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "branch_group_id" INTEGER,
    "branch_id" INTEGER,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "file_name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "file_key" TEXT,
    "report_key" TEXT,
    "dry_run" BOOLEAN NOT NULL,
    "options" JSONB NOT NULL,
    "actor" JSONB,
    "send_at" TIMESTAMPTZ(3),
    "next_row" INTEGER NOT NULL DEFAULT 1,
    "total_rows" INTEGER NOT NULL DEFAULT 0,
    "imported" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "error_count" INTEGER NOT NULL DEFAULT 0,
    "file_read" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "columns" JSONB NOT NULL DEFAULT '[]',
    "unknown_categories" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "preview" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_jobs_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "import_errors" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "import_job_id" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "column" TEXT,
    "header" TEXT,
    "field" TEXT,
    "rule" TEXT NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "import_errors_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "import_jobs_company_id_branch_group_id_id_idx" ON "import_jobs"("company_id", "branch_group_id", "id");

-- CreateIndex
CREATE INDEX "import_jobs_company_id_branch_id_id_idx" ON "import_jobs"("company_id", "branch_id", "id");

-- CreateIndex
CREATE INDEX "import_jobs_company_id_status_id_idx" ON "import_jobs"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "import_jobs_company_id_created_at_id_idx" ON "import_jobs"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "import_jobs_finished_at_idx" ON "import_jobs"("finished_at");

-- CreateIndex
CREATE UNIQUE INDEX "import_jobs_company_id_file_key_key" ON "import_jobs"("company_id", "file_key");

-- CreateIndex
CREATE UNIQUE INDEX "import_jobs_company_id_report_key_key" ON "import_jobs"("company_id", "report_key");

-- CreateIndex
CREATE INDEX "import_errors_company_id_import_job_id_id_idx" ON "import_errors"("company_id", "import_job_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "import_errors_company_id_import_job_id_place_key" ON "import_errors"("company_id", "import_job_id", "place");

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_branch_group_id_fkey" FOREIGN KEY ("company_id", "branch_group_id") REFERENCES "branch_groups"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_file_key_fkey" FOREIGN KEY ("company_id", "file_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_report_key_fkey" FOREIGN KEY ("company_id", "report_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_errors" ADD CONSTRAINT "import_errors_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_errors" ADD CONSTRAINT "import_errors_company_id_import_job_id_fkey" FOREIGN KEY ("company_id", "import_job_id") REFERENCES "import_jobs"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE import_errors ADD CONSTRAINT import_errors_row_check CHECK ((("row" >= 1) AND (place >= 0)));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_counts_check CHECK (((imported >= 0) AND (updated >= unchanged) AND (unchanged >= 0) AND (failed >= 0) AND (((imported + updated) + failed) = total_rows)));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_file_name_check CHECK ((char_length(file_name) <= 255));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_file_read_check CHECK (((file_read >= (0)::double precision) AND (file_read <= (1)::double precision)));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_lists_check CHECK (((unknown_categories IS NOT NULL) AND (jsonb_typeof(columns) = 'array'::text) AND (jsonb_typeof(preview) = 'array'::text)));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_options_check CHECK ((jsonb_typeof(options) = 'object'::text));

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'running'::text, 'finished'::text, 'failed'::text])));

ALTER TABLE stored_files ADD CONSTRAINT stored_files_key_check CHECK ((key ~ '^[0-9a-f]{32}[.](jpg|png|xlsx|xlsm|xltx|xltm|xls|xlt|ods|ots|slk|xml|gnumeric|htm|html|csv|tsv|txt)$'::text));

ALTER TABLE stored_files ADD CONSTRAINT stored_files_size_check CHECK (
CASE
    WHEN (content_type ~~ 'image/%'::text) THEN COALESCE(((width > 0) AND (height > 0)), false)
    ELSE (num_nonnulls(width, height) = 0)
END);

CREATE TRIGGER import_jobs_audit AFTER INSERT OR DELETE OR UPDATE ON public.import_jobs FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('import_job', '{file_key,report_key,actor}');

CREATE TRIGGER import_jobs_file AFTER INSERT OR DELETE OR UPDATE OF file_key ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION own_file('file_key');

CREATE TRIGGER import_jobs_report AFTER INSERT OR DELETE OR UPDATE OF report_key ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION own_file('report_key');

CREATE TRIGGER import_jobs_updated_at BEFORE UPDATE OF updated_at ON public.import_jobs FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();
