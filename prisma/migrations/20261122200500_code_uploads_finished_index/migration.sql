-- Lists of codes that ended long ago are found by their end.
CREATE INDEX CONCURRENTLY "coupon_code_uploads_finished_at_idx" ON "coupon_code_uploads"("finished_at");
