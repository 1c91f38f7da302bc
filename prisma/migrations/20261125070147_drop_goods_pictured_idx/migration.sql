DROP INDEX CONCURRENTLY "goods_pictured_idx";
