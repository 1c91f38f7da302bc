ALTER TABLE coupons DROP CONSTRAINT coupons_counts_check;

-- AlterTable
ALTER TABLE "coupon_codes" ADD COLUMN     "voided_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "coupons" ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "voided_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "coupon_code_uploads" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "coupon_id" INTEGER NOT NULL,
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

    CONSTRAINT "coupon_code_uploads_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "coupon_code_uploads_company_id_coupon_id_id_idx" ON "coupon_code_uploads"("company_id", "coupon_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "coupon_code_uploads_company_id_file_key_key" ON "coupon_code_uploads"("company_id", "file_key");

-- AddForeignKey
ALTER TABLE "coupon_code_uploads" ADD CONSTRAINT "coupon_code_uploads_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_code_uploads" ADD CONSTRAINT "coupon_code_uploads_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_code_uploads" ADD CONSTRAINT "coupon_code_uploads_company_id_file_key_fkey" FOREIGN KEY ("company_id", "file_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Tells whether a coupon runs and is not paused, by its exact times: `status` may lag behind them.
CREATE OR REPLACE FUNCTION "coupon_runs"(_coupon "coupons", _at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT _coupon."deleted_at" IS NULL AND _coupon."paused_at" IS NULL
       AND (_coupon."status" = 'running' OR _coupon."status" = 'ready' AND coalesce(_coupon."starts_at" <= _at, false))
       AND coalesce(_coupon."ends_at" > _at, true)
$$;

ALTER TABLE coupon_code_uploads ADD CONSTRAINT coupon_code_uploads_counts_check CHECK (((added >= 0) AND (failed >= 0) AND ((added + failed) = total) AND (next_line >= 1)));

ALTER TABLE coupon_code_uploads ADD CONSTRAINT coupon_code_uploads_errors_check CHECK ((jsonb_typeof(errors) = 'array'::text));

ALTER TABLE coupon_code_uploads ADD CONSTRAINT coupon_code_uploads_file_name_check CHECK ((char_length(file_name) <= 255));

ALTER TABLE coupon_code_uploads ADD CONSTRAINT coupon_code_uploads_file_read_check CHECK (((file_read >= (0)::double precision) AND (file_read <= (1)::double precision)));

ALTER TABLE coupon_code_uploads ADD CONSTRAINT coupon_code_uploads_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text])));

ALTER TABLE coupon_codes ADD CONSTRAINT coupon_codes_voided_at_check CHECK (((used_at IS NULL) OR (voided_at IS NULL))) NOT VALID;

ALTER TABLE coupons ADD CONSTRAINT coupons_counts_check CHECK (((spent_count >= 0) AND (held_count >= 0) AND (voided_count >= 0) AND ((((spent_count)::bigint + held_count) + voided_count) <= total_count)));

CREATE TRIGGER coupon_code_uploads_audit AFTER INSERT OR DELETE OR UPDATE ON public.coupon_code_uploads FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('coupon_code_upload', '{file_key}');

CREATE TRIGGER coupon_code_uploads_file AFTER INSERT OR DELETE OR UPDATE OF file_key ON public.coupon_code_uploads FOR EACH ROW EXECUTE FUNCTION own_file('file_key');

CREATE TRIGGER coupon_code_uploads_updated_at BEFORE UPDATE OF updated_at ON public.coupon_code_uploads FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();
