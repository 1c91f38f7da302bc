-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "taken_type_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
