DROP INDEX CONCURRENTLY "balance_movements_by_time_idx";
