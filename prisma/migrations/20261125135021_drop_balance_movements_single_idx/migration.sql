DROP INDEX CONCURRENTLY "balance_movements_single_idx";
