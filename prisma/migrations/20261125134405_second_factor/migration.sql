-- AlterTable
ALTER TABLE "admin_types" ADD COLUMN     "requires_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "second_factors" (
    "company_id" INTEGER NOT NULL,
    "admin_id" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("company_id","admin_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "admin_id" INTEGER NOT NULL,
    "code_hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_company_id_admin_id_code_hash_key" ON "recovery_codes"("company_id", "admin_id", "code_hash");

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_company_id_admin_id_fkey" FOREIGN KEY ("company_id", "admin_id") REFERENCES "admins"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_company_id_admin_id_fkey" FOREIGN KEY ("company_id", "admin_id") REFERENCES "admins"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE TRIGGER recovery_codes_audit AFTER INSERT OR DELETE OR UPDATE ON public.recovery_codes FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('recovery_code', '{code_hash}');

CREATE TRIGGER second_factors_audit AFTER INSERT OR DELETE OR UPDATE ON public.second_factors FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('second_factor', '{secret,last_step}', '{admin_id}');

COMMENT ON INDEX second_factors_pkey IS 'key of the rows; relation by admin_id';
COMMENT ON INDEX recovery_codes_pkey IS 'key of the rows';
COMMENT ON INDEX recovery_codes_company_id_admin_id_code_hash_key IS 'rule: one row for each admin_id, code_hash; relation by admin_id';
