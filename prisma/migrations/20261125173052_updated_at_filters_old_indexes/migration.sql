DROP INDEX IF EXISTS clients_filters_idx;
ALTER INDEX "clients_filters_idx_new" RENAME TO "clients_filters_idx";
