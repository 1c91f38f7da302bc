-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "suspended_at" TIMESTAMPTZ(3);
