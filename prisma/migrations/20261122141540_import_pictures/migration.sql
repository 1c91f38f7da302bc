DROP TRIGGER branch_goods_audit ON branch_goods;

DROP TRIGGER good_categories_audit ON good_categories;

DROP TRIGGER goods_audit ON goods;

-- AlterTable
ALTER TABLE "import_jobs" ADD COLUMN     "pictures_failed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pictures_fetched" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pictures_wanted" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "good_picture_sources" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "good_id" INTEGER NOT NULL,
    "is_vertical" BOOLEAN NOT NULL,
    "url_hash" TEXT NOT NULL,
    "key" TEXT,
    "url" TEXT NOT NULL,
    "import_job_id" INTEGER,
    "row" INTEGER NOT NULL,
    "column" TEXT,
    "header" TEXT,
    "field" TEXT NOT NULL,
    "taken_until" TIMESTAMPTZ(3),

    CONSTRAINT "good_picture_sources_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "good_picture_sources_company_id_import_job_id_id_idx" ON "good_picture_sources"("company_id", "import_job_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "good_picture_sources_company_id_good_id_is_vertical_url_has_key" ON "good_picture_sources"("company_id", "good_id", "is_vertical", "url_hash");

-- AddForeignKey
ALTER TABLE "good_picture_sources" ADD CONSTRAINT "good_picture_sources_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "good_picture_sources" ADD CONSTRAINT "good_picture_sources_company_id_good_id_fkey" FOREIGN KEY ("company_id", "good_id") REFERENCES "goods"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Writes the entries of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := current_setting('audit.context');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
BEGIN
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    SELECT (n."row" ->> 'company_id')::integer,
           _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
           (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
           'create', TG_ARGV[0],
           CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
           CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
           coalesce("audit_values"(n."row", _hidden), '{}')
      FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n;
    RETURN NULL;
END
$$;

-- Writes an entry of the audit trail for a row that has changed. The trigger names the kind of row, the columns whose values
-- are not told, and the columns of a key that is no "id". Who acts stands in the setting "audit.context" of the
-- transaction. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := current_setting('audit.context');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb := CASE TG_OP WHEN 'INSERT' THEN "audit_values"(_new, _hidden) ELSE "audit_changes"(_old, _new, _hidden) END;
BEGIN
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    VALUES (
        coalesce(_row ->> 'company_id', _row ->> 'id')::integer,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
        CASE TG_OP
            WHEN 'INSERT' THEN 'create'
            WHEN 'DELETE' THEN 'delete'
            ELSE CASE
                WHEN _old ->> 'deleted_at' IS NULL AND _new ->> 'deleted_at' IS NOT NULL THEN 'delete'
                WHEN _old ->> 'deleted_at' IS NOT NULL AND _new ->> 'deleted_at' IS NULL THEN 'restore'
                ELSE 'update'
            END
        END,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        (SELECT jsonb_object_agg(name, _row -> name) FROM unnest(_key) AS name),
        coalesce(_changes, '{}'));
    RETURN NULL;
END
$$;

-- Returns what a new row has, in the form of "audit_changes", which tells the same of it with more effort: nothing is
-- compared, since nothing was there before.
CREATE OR REPLACE FUNCTION "audit_values"(_new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(path, jsonb_build_array(NULL, "audit_value"(value, key = ANY (_hidden))))
      FROM (SELECT key, key AS path, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) NOT IN ('object', 'null')
            UNION ALL
            SELECT c.key, c.key || '.' || part.key, part.value
              FROM jsonb_each(_new) AS c,
                   jsonb_each(CASE jsonb_typeof(c.value) WHEN 'object' THEN c.value ELSE '{}' END) AS part
             WHERE jsonb_typeof(part.value) <> 'null') AS "values"
     WHERE key NOT IN ('company_id', 'updated_at', 'search_words')
$$;

ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_pictures_check CHECK (((pictures_fetched >= 0) AND (pictures_failed >= 0) AND ((pictures_fetched + pictures_failed) <= pictures_wanted)));

CREATE TRIGGER branch_goods_audit AFTER DELETE OR UPDATE ON public.branch_goods FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('branch_good');

CREATE TRIGGER branch_goods_audit_new AFTER INSERT ON public.branch_goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_new_rows('branch_good');

CREATE TRIGGER good_categories_audit AFTER DELETE OR UPDATE ON public.good_categories FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good_category', '{}', '{category_id,good_id}');

CREATE TRIGGER good_categories_audit_new AFTER INSERT ON public.good_categories REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_new_rows('good_category', '{}', '{category_id,good_id}');

CREATE TRIGGER goods_audit AFTER DELETE OR UPDATE ON public.goods FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('good');

CREATE TRIGGER goods_audit_new AFTER INSERT ON public.goods REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_new_rows('good');
