-- CreateTable
CREATE TABLE "usage_counts" (
    "company_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "day" DATE NOT NULL DEFAULT '1970-01-01'::date,
    "id" BIGSERIAL NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "usage_counts_pkey" PRIMARY KEY ("company_id","name","day","id")
);

-- Returns changes that are longer than an entry may be so that they fit into 64,000 bytes as JSON: all values share what
-- the names of the fields leave. Keys of an object that are too many for that are told together, under the name of the
-- column. Values are cut before they become parts of others: to build large JSON into JSON takes seconds.
CREATE OR REPLACE FUNCTION "audit_bounded"(_changes jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _count integer;
    _names integer;
BEGIN
    SELECT count(*), sum(octet_length(to_jsonb(key)::text) + 10) INTO _count, _names FROM jsonb_object_keys(_changes) AS key;
    IF _names + _count * 400 <= 64000 THEN
        RETURN (SELECT jsonb_object_agg(key, jsonb_build_array(
                           "audit_cut"(value -> 0, (64000 - _names) / (2 * _count)),
                           "audit_cut"(value -> 1, (64000 - _names) / (2 * _count))))
                  FROM jsonb_each(_changes));
    END IF;
    SELECT count(*), sum(octet_length(to_jsonb(name)::text) + 10) INTO _count, _names
      FROM (SELECT DISTINCT split_part(key, '.', 1) AS name FROM jsonb_object_keys(_changes) AS key) AS "columns";
    RETURN (
        SELECT jsonb_object_agg(name, jsonb_build_array(
                   "audit_cut"(before, (64000 - _names) / (2 * _count)), "audit_cut"(after, (64000 - _names) / (2 * _count))))
          FROM (SELECT split_part(key, '.', 1) AS name,
                       CASE WHEN bool_and(strpos(key, '.') = 0) THEN (array_agg(value -> 0))[1]
                            ELSE coalesce(jsonb_object_agg(substr(key, strpos(key, '.') + 1), value -> 0)
                                            FILTER (WHERE value -> 0 <> 'null'), 'null') END AS before,
                       CASE WHEN bool_and(strpos(key, '.') = 0) THEN (array_agg(value -> 1))[1]
                            ELSE coalesce(jsonb_object_agg(substr(key, strpos(key, '.') + 1), value -> 1)
                                            FILTER (WHERE value -> 1 <> 'null'), 'null') END AS after
                  FROM jsonb_each(_changes) GROUP BY 1) AS "columns");
END
$$;

-- Returns a value of an entry cut to so many bytes as JSON: its length in bytes and its beginning. A value that fits stays as
-- it is, one that has been cut keeps its length.
CREATE OR REPLACE FUNCTION "audit_cut"(_value jsonb, _most integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _is_cut boolean := jsonb_typeof(_value) = 'object' AND _value -> 'cut' = 'true' AND _value ? 'start';
    _start text := CASE WHEN _is_cut THEN _value ->> 'start' ELSE _value #>> '{}' END;
    _bytes bigint := CASE WHEN _is_cut THEN (_value ->> 'bytes')::bigint ELSE octet_length(_value::text) END;
    _cut jsonb;
BEGIN
    IF _value = 'null' OR octet_length(_value::text) <= _most THEN
        RETURN _value;
    END IF;
    -- A character has at most six bytes as JSON: the third length fits whatever it holds.
    FOR _part IN 1 .. 3 LOOP
        _cut := jsonb_build_object('cut', true, 'bytes', _bytes,
                                   'start', left(_start, greatest(_most - 60, 0) / (ARRAY[1, 2, 6])[_part]));
        EXIT WHEN octet_length(_cut::text) <= _most;
    END LOOP;
    RETURN _cut;
END
$$;

-- Writes the entries of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := current_setting('audit.context');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _company_id integer;
    _bytes bigint;
BEGIN
    FOR _company_id, _bytes IN
    WITH "entries" AS (
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    SELECT (n."row" ->> 'company_id')::integer,
           _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
           (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer,
           'create', TG_ARGV[0],
           CASE WHEN _key = '{}' THEN n."row" ->> 'id' END::bigint,
           CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, n."row" -> name) FROM unnest(_key) AS name) END,
           CASE WHEN octet_length(v."changes"::text) > 64000 THEN "audit_bounded"(v."changes") ELSE v."changes" END
      FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n, "audit_values"(n."row", _hidden) AS v
    RETURNING "company_id", octet_length("changes"::text) AS "bytes"
    ), "counted" AS (
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount")
        SELECT "company_id", 'trail', current_date, sum("bytes") FROM "entries" GROUP BY "company_id"
    )
    SELECT "company_id", sum("bytes") FROM "entries" WHERE "bytes" > 4096 GROUP BY "company_id"
    LOOP
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes an entry of the audit trail for a row that has changed. The trigger names the kind of row, the columns whose values
-- are not told, and the columns of a key that is no "id". Who acts stands in the setting "audit.context" of the
-- transaction. An entry has at most 64 KB. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := current_setting('audit.context');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb;
    _company_id integer := coalesce(_row ->> 'company_id', _row ->> 'id')::integer;
    _bytes integer;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT "changes" INTO _changes FROM "audit_values"(_new, _hidden);
    ELSE
        _changes := "audit_changes"(_old, _new, _hidden);
    END IF;
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    _changes := coalesce(_changes, '{}');
    _bytes := octet_length(_changes::text);
    IF _bytes > 4096 THEN
        IF _bytes > 64000 THEN
            _changes := "audit_bounded"(_changes);
            _bytes := octet_length(_changes::text);
        END IF;
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END IF;
    INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id",
         "action", "target_type", "target_id", "target_key", "changes")
    VALUES (
        _company_id,
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
        _changes);
    RETURN NULL;
END
$$;

-- Returns a value as the audit trail tells it: a hidden one as asterisks, one that is longer than 10,000 characters as
-- JSON cut, with its length in bytes and its beginning. It is STABLE as to_jsonb is: otherwise PostgreSQL would not put
-- it into the statements that call it, and would call it for each value.
CREATE OR REPLACE FUNCTION "audit_value"(_value jsonb, _hidden boolean) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT CASE
               WHEN _value = 'null' THEN _value
               WHEN _hidden THEN '"********"'
               WHEN length(_value::text) > 10000 THEN jsonb_build_object(
                   'cut', true, 'bytes', octet_length(_value::text), 'start', left(_value #>> '{}', 10000))
               ELSE _value
           END
$$;

-- Counts bytes that entries longer than 4 KB add to the audit trail of a company: refuses them when its quota is used up, and
-- tells the service whom they cost. The setting "audit.context" has the quota, in bytes, and who pays.
CREATE OR REPLACE FUNCTION "charge_audit_bytes"(_company_id integer, _bytes bigint, _context jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF (SELECT coalesce(sum("amount"), 0) FROM "usage_counts" WHERE "company_id" = _company_id AND "name" = 'trail')
        > (_context ->> 'quota')::bigint THEN
        RAISE EXCEPTION 'the audit trail of the company is full' USING ERRCODE = 'UQ001', DETAIL = _context ->> 'quota';
    END IF;
    IF _context ->> 'payer' IS NOT NULL THEN
        RAISE INFO 'entries of the audit trail' USING ERRCODE = 'UT001', DETAIL = _context ->> 'payer', HINT = _bytes::text;
    END IF;
END
$$;

-- Notes in "usage_counts" what rows that a statement has added or removed use of a quota of their company. The arguments name
-- the quota and the column with the amount.
CREATE OR REPLACE FUNCTION "count_usage"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "usage_counts" ("company_id", "name", "amount")
    SELECT c."company_id", TG_ARGV[0],
           CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END * sum((to_jsonb(c) ->> TG_ARGV[1])::bigint)
      FROM "changed" AS c GROUP BY c."company_id";
    RETURN NULL;
END
$$;

-- Folds at most that many entries of "usage_counts" into those with the id 0; returns how many. Whoever reads the sums
-- meanwhile gets the same.
CREATE OR REPLACE FUNCTION "fold_usage_counts"(_most integer) RETURNS integer
LANGUAGE sql AS $$
    WITH "taken" AS (
        DELETE FROM "usage_counts"
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM "usage_counts" WHERE "id" > 0 ORDER BY "company_id", "name", "day"
              LIMIT _most FOR UPDATE SKIP LOCKED))
        RETURNING "company_id", "name", "day", "amount"
    ), "folded" AS (
        INSERT INTO "usage_counts" AS "sum" ("company_id", "name", "day", "id", "amount")
        SELECT "company_id", "name", "day", 0, sum("amount")
          FROM "taken" GROUP BY "company_id", "name", "day" ORDER BY "company_id", "name", "day"
            ON CONFLICT ("company_id", "name", "day", "id") DO UPDATE SET "amount" = "sum"."amount" + EXCLUDED."amount"
    )
    SELECT count(*)::integer FROM "taken"
$$;

CREATE TRIGGER stored_files_usage_added AFTER INSERT ON public.stored_files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_usage('storage', 'bytes');

CREATE TRIGGER stored_files_usage_removed AFTER DELETE ON public.stored_files REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_usage('storage', 'bytes');

-- What is stored already. The triggers above keep writers away until this is committed.
INSERT INTO "usage_counts" ("company_id", "name", "id", "amount")
SELECT "company_id", 'storage', 0, sum("bytes") FROM "stored_files" GROUP BY "company_id";
