-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "external_id" TEXT;

-- CreateTable
CREATE TABLE "client_segments" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB,
    "listed_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_segments_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "client_segment_members" (
    "company_id" INTEGER NOT NULL,
    "segment_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,

    CONSTRAINT "client_segment_members_pkey" PRIMARY KEY ("company_id","segment_id","client_id")
);

-- CreateTable
CREATE TABLE "client_segment_uploads" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "segment_id" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "message" TEXT,
    "file_name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "file_key" TEXT,
    "next_line" INTEGER NOT NULL DEFAULT 1,
    "total" INTEGER NOT NULL DEFAULT 0,
    "added" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "file_read" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_segment_uploads_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "client_segments_company_id_name_id_idx" ON "client_segments"("company_id", "name", "id");

-- CreateIndex
CREATE INDEX "client_segments_company_id_created_at_id_idx" ON "client_segments"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "client_segment_members_company_id_client_id_segment_id_idx" ON "client_segment_members"("company_id", "client_id", "segment_id");

-- CreateIndex
CREATE INDEX "client_segment_uploads_company_id_segment_id_id_idx" ON "client_segment_uploads"("company_id", "segment_id", "id");

-- CreateIndex
CREATE INDEX "client_segment_uploads_finished_at_idx" ON "client_segment_uploads"("finished_at");

-- CreateIndex
CREATE UNIQUE INDEX "client_segment_uploads_company_id_file_key_key" ON "client_segment_uploads"("company_id", "file_key");

-- AddForeignKey
ALTER TABLE "client_segments" ADD CONSTRAINT "client_segments_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_members" ADD CONSTRAINT "client_segment_members_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_members" ADD CONSTRAINT "client_segment_members_company_id_segment_id_fkey" FOREIGN KEY ("company_id", "segment_id") REFERENCES "client_segments"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_members" ADD CONSTRAINT "client_segment_members_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_uploads" ADD CONSTRAINT "client_segment_uploads_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_uploads" ADD CONSTRAINT "client_segment_uploads_company_id_segment_id_fkey" FOREIGN KEY ("company_id", "segment_id") REFERENCES "client_segments"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "client_segment_uploads" ADD CONSTRAINT "client_segment_uploads_company_id_file_key_fkey" FOREIGN KEY ("company_id", "file_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE client_segment_uploads ADD CONSTRAINT client_segment_uploads_counts_check CHECK (((added >= 0) AND (failed >= 0) AND ((added + failed) <= total) AND (next_line >= 1)));

ALTER TABLE client_segment_uploads ADD CONSTRAINT client_segment_uploads_errors_check CHECK ((jsonb_typeof(errors) = 'array'::text));

ALTER TABLE client_segment_uploads ADD CONSTRAINT client_segment_uploads_file_name_check CHECK ((char_length(file_name) <= 255));

ALTER TABLE client_segment_uploads ADD CONSTRAINT client_segment_uploads_file_read_check CHECK (((file_read >= (0)::double precision) AND (file_read <= (1)::double precision)));

ALTER TABLE client_segment_uploads ADD CONSTRAINT client_segment_uploads_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text])));

ALTER TABLE client_segments ADD CONSTRAINT client_segments_filter_check CHECK ((jsonb_typeof(filter) = 'object'::text));

ALTER TABLE client_segments ADD CONSTRAINT client_segments_listed_count_check CHECK ((listed_count >= 0));

ALTER TABLE client_segments ADD CONSTRAINT client_segments_name_check CHECK ((char_length(name) <= 64));

ALTER TABLE clients ADD CONSTRAINT clients_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 64))) NOT VALID;

CREATE TRIGGER client_segment_uploads_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_segment_uploads FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('client_segment_upload', '{file_key}');

CREATE TRIGGER client_segment_uploads_file AFTER INSERT OR DELETE OR UPDATE OF file_key ON public.client_segment_uploads FOR EACH ROW EXECUTE FUNCTION own_file('file_key');

CREATE TRIGGER client_segment_uploads_updated_at BEFORE UPDATE OF updated_at ON public.client_segment_uploads FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER client_segments_audit AFTER INSERT OR DELETE OR UPDATE ON public.client_segments FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('client_segment');

CREATE TRIGGER client_segments_updated_at BEFORE UPDATE OF updated_at ON public.client_segments FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE STATISTICS public.client_segments_name_folded ON folded(name) FROM client_segments;
ALTER STATISTICS client_segments_name_folded SET STATISTICS 200;

CREATE INDEX "client_segments_filters_idx" ON "client_segments" USING gin (company_id, folded(name) gin_trgm_ops);
