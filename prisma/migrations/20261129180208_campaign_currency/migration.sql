-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "currency_iso" TEXT;
