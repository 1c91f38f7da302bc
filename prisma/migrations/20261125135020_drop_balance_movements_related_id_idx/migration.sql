DROP INDEX CONCURRENTLY "balance_movements_related_id_idx";
