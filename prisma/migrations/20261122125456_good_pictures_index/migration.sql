-- Suggestions of pictures look for goods by a like name or the same barcode, among those that have pictures.
CREATE INDEX CONCURRENTLY "goods_pictured_idx" ON "goods" USING gin ("company_id", folded("name") gin_trgm_ops, "barcodes")
 WHERE "picture_urls" <> '{}';
