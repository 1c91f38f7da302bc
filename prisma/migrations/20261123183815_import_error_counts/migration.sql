-- AlterTable
ALTER TABLE "import_jobs" ADD COLUMN     "error_counts" JSONB NOT NULL DEFAULT '[]';

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_error_counts_check CHECK ((jsonb_typeof(error_counts) = 'array'::text));
