DROP INDEX CONCURRENTLY "clients_external_id_key";
