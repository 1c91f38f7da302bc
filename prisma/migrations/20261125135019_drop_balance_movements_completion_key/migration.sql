DROP INDEX CONCURRENTLY "balance_movements_completion_key";
