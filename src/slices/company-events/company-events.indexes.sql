-- Parts of names are found among deleted events too.
CREATE INDEX "company_events_texts_idx" ON "company_events" USING gin ("company_id", folded("name") gin_trgm_ops);
