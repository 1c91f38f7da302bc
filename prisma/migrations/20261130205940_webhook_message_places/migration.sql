-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "place" JSONB;
