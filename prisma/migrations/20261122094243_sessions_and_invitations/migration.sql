-- AlterTable
ALTER TABLE "password_setup_tokens" ADD COLUMN     "issued_by_id" INTEGER;

-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AddForeignKey
ALTER TABLE "password_setup_tokens" ADD CONSTRAINT "password_setup_tokens_company_id_issued_by_id_fkey" FOREIGN KEY ("company_id", "issued_by_id") REFERENCES "admins"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A login that goes on began when its first token was made.
UPDATE "refresh_tokens" t SET "started_at" = f."began_at"
  FROM (SELECT "company_id", "family_id", min("created_at") AS "began_at" FROM "refresh_tokens" GROUP BY 1, 2) f
 WHERE f."company_id" = t."company_id" AND f."family_id" = t."family_id";
