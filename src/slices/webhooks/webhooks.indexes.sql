-- Attempts that are due, among the few messages that are not delivered yet.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("company_id", "webhook_id", "next_at")
    WHERE "status" = 'pending';

-- Dead messages are counted for operators.
CREATE INDEX "webhook_deliveries_dead_idx" ON "webhook_deliveries"("finished_at") WHERE "status" = 'dead';
