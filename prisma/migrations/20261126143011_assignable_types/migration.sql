-- AlterTable
ALTER TABLE "admin_types" ADD COLUMN     "assignable_type_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
