-- AlterTable
ALTER TABLE "invoice_documents" ALTER COLUMN "related_id" SET DATA TYPE BIGINT,
ALTER COLUMN "target_id" SET DATA TYPE BIGINT;
