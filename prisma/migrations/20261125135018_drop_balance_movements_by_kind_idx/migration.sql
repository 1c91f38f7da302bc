DROP INDEX CONCURRENTLY "balance_movements_by_kind_idx";
