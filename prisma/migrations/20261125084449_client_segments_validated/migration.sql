-- No client had such an id before, so every row holds; it is read without a lock on the table.
ALTER TABLE "clients" VALIDATE CONSTRAINT "clients_external_id_check";
