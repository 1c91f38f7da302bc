-- The index before it begins with the same columns.
DROP INDEX CONCURRENTLY "balance_movements_company_id_related_type_related_id_idx";
