-- CreateTable
CREATE TABLE "row_counts" (
    "company_id" INTEGER NOT NULL,
    "table_name" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "live" BIGINT NOT NULL,
    "deleted" BIGINT NOT NULL,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("company_id","table_name","id")
);

-- AddForeignKey
ALTER TABLE "row_counts" ADD CONSTRAINT "row_counts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Notes in "row_counts" how many rows a statement has added, removed or deleted softly. The argument 'soft' is given
-- for tables whose rows can be deleted softly.
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _sign integer := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        _sign := CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END;
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        VALUES (NEW."company_id", TG_TABLE_NAME, _sign, -_sign);
    ELSIF TG_NARGS = 1 THEN
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        SELECT "company_id", TG_TABLE_NAME,
               _sign * count(*) FILTER (WHERE "deleted_at" IS NULL),
               _sign * count(*) FILTER (WHERE "deleted_at" IS NOT NULL)
          FROM "changed" GROUP BY "company_id";
    ELSE
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        SELECT "company_id", TG_TABLE_NAME, _sign * count(*), 0 FROM "changed" GROUP BY "company_id";
    END IF;
    RETURN NULL;
END
$$;

-- Folds at most that many entries of "row_counts" into those with the id 0; returns how many. Whoever reads the sums
-- meanwhile gets the same.
CREATE OR REPLACE FUNCTION "fold_row_counts"(_most integer) RETURNS integer
LANGUAGE sql AS $$
    WITH "taken" AS (
        DELETE FROM "row_counts"
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM "row_counts" WHERE "id" > 0 ORDER BY "company_id", "table_name"
              LIMIT _most FOR UPDATE SKIP LOCKED))
        RETURNING "company_id", "table_name", "live", "deleted"
    ), "folded" AS (
        INSERT INTO "row_counts" AS "sum" ("company_id", "table_name", "id", "live", "deleted")
        SELECT "company_id", "table_name", 0, sum("live"), sum("deleted")
          FROM "taken" GROUP BY "company_id", "table_name" ORDER BY "company_id", "table_name"
            ON CONFLICT ("company_id", "table_name", "id") DO UPDATE
           SET "live" = "sum"."live" + EXCLUDED."live", "deleted" = "sum"."deleted" + EXCLUDED."deleted"
    )
    SELECT count(*)::integer FROM "taken"
$$;

CREATE TRIGGER branch_good_properties_count_added AFTER INSERT ON public.branch_good_properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER branch_good_properties_count_removed AFTER DELETE ON public.branch_good_properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER branch_goods_count_added AFTER INSERT ON public.branch_goods REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER branch_goods_count_removed AFTER DELETE ON public.branch_goods REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER carts_count_added AFTER INSERT ON public.carts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER carts_count_removed AFTER DELETE ON public.carts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER clients_count_added AFTER INSERT ON public.clients REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER clients_count_deleted AFTER UPDATE OF deleted_at ON public.clients FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows();

CREATE TRIGGER clients_count_removed AFTER DELETE ON public.clients REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER coupons_count_added AFTER INSERT ON public.coupons REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER coupons_count_deleted AFTER UPDATE OF deleted_at ON public.coupons FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows();

CREATE TRIGGER coupons_count_removed AFTER DELETE ON public.coupons REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER good_properties_count_added AFTER INSERT ON public.good_properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER good_properties_count_removed AFTER DELETE ON public.good_properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER goods_count_added AFTER INSERT ON public.goods REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER goods_count_deleted AFTER UPDATE OF deleted_at ON public.goods FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows();

CREATE TRIGGER goods_count_removed AFTER DELETE ON public.goods REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('soft');

CREATE TRIGGER orders_count_added AFTER INSERT ON public.orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER orders_count_removed AFTER DELETE ON public.orders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER properties_count_added AFTER INSERT ON public.properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER properties_count_removed AFTER DELETE ON public.properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

-- Hand-written from here on: the rows that are there. No other writes get in, since the triggers lock their tables.
INSERT INTO "row_counts" ("company_id", "table_name", "id", "live", "deleted")
SELECT "company_id", 'goods', 0, count(*) FILTER (WHERE "deleted_at" IS NULL), count("deleted_at") FROM "goods" GROUP BY 1
UNION ALL
SELECT "company_id", 'clients', 0, count(*) FILTER (WHERE "deleted_at" IS NULL), count("deleted_at") FROM "clients" GROUP BY 1
UNION ALL
SELECT "company_id", 'coupons', 0, count(*) FILTER (WHERE "deleted_at" IS NULL), count("deleted_at") FROM "coupons" GROUP BY 1
UNION ALL
SELECT "company_id", 'branch_goods', 0, count(*), 0 FROM "branch_goods" GROUP BY 1
UNION ALL
SELECT "company_id", 'good_properties', 0, count(*), 0 FROM "good_properties" GROUP BY 1
UNION ALL
SELECT "company_id", 'branch_good_properties', 0, count(*), 0 FROM "branch_good_properties" GROUP BY 1
UNION ALL
SELECT "company_id", 'properties', 0, count(*), 0 FROM "properties" GROUP BY 1
UNION ALL
SELECT "company_id", 'orders', 0, count(*), 0 FROM "orders" GROUP BY 1
UNION ALL
SELECT "company_id", 'carts', 0, count(*), 0 FROM "carts" GROUP BY 1;
