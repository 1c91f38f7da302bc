DROP TRIGGER import_jobs_audit ON import_jobs;

-- AlterTable
ALTER TABLE "import_jobs" ADD COLUMN     "change_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "changes_key" TEXT;

-- CreateTable
CREATE TABLE "import_changes" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "import_job_id" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "good_id" INTEGER,
    "changes" JSONB NOT NULL,
    "note" TEXT,

    CONSTRAINT "import_changes_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "import_changes_company_id_import_job_id_place_key" ON "import_changes"("company_id", "import_job_id", "place");

-- AddForeignKey
ALTER TABLE "import_jobs" ADD CONSTRAINT "import_jobs_company_id_changes_key_fkey" FOREIGN KEY ("company_id", "changes_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_company_id_import_job_id_fkey" FOREIGN KEY ("company_id", "import_job_id") REFERENCES "import_jobs"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE import_changes ADD CONSTRAINT import_changes_row_check CHECK ((("row" >= 1) AND (place >= 0) AND (jsonb_typeof(changes) = 'object'::text)));

CREATE TRIGGER import_jobs_audit AFTER INSERT OR DELETE OR UPDATE ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION audit_row('import_job', '{file_key,report_key,changes_key,actor}', '{}', 'ImportJob');

CREATE TRIGGER import_jobs_changes AFTER INSERT OR DELETE OR UPDATE OF changes_key ON public.import_jobs FOR EACH ROW EXECUTE FUNCTION own_file('changes_key');
