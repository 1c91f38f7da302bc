DROP INDEX IF EXISTS "balance_movements_by_related_idx";
DROP INDEX IF EXISTS "balance_movements_of_related_idx";
