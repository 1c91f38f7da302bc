ALTER TABLE "balance_holders" VALIDATE CONSTRAINT "balance_holders_key_check";
ALTER TABLE "balance_movements" VALIDATE CONSTRAINT "balance_movements_actor_check";
ALTER TABLE "balance_movements" VALIDATE CONSTRAINT "balance_movements_counterpart_check";
ALTER TABLE "invoice_documents" VALIDATE CONSTRAINT "invoice_documents_amount_e2_check";
