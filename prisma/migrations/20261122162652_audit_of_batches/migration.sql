DROP ROUTINE audit_values(jsonb,text[]);

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
           v."changes"
      FROM (SELECT to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n, "audit_values"(n."row", _hidden) AS v;
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
    _changes jsonb;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT "changes" INTO _changes FROM "audit_values"(_new, _hidden);
    ELSE
        _changes := "audit_changes"(_old, _new, _hidden);
    END IF;
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

-- Returns a value as the audit trail tells it: a hidden one as asterisks, of one that is longer than 10,000 characters as
-- JSON the beginning, as a text. It is STABLE as to_jsonb is: otherwise PostgreSQL would not put it into the statements
-- that call it, and would call it for each value.
CREATE OR REPLACE FUNCTION "audit_value"(_value jsonb, _hidden boolean) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT CASE
               WHEN _value = 'null' THEN _value
               WHEN _hidden THEN '"********"'
               WHEN length(_value::text) > 10000 THEN to_jsonb(left(_value #>> '{}', 10000) || '…')
               ELSE _value
           END
$$;

-- Returns what a new row has, in the form of "audit_changes", which tells the same of it with more effort: nothing is
-- compared, since nothing was there before. It is one row, as of a table: PostgreSQL puts such a function into the
-- statement that reads it, and has no call for each row.
CREATE OR REPLACE FUNCTION "audit_values"(_new jsonb, _hidden text[]) RETURNS TABLE ("changes" jsonb)
LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT coalesce(jsonb_object_agg(path, jsonb_build_array(NULL, "audit_value"(value, key = ANY (_hidden)))), '{}')
      FROM (SELECT key, key AS path, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) NOT IN ('object', 'null')
            UNION ALL
            SELECT c.key, c.key || '.' || part.key, part.value
              FROM (SELECT key, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) = 'object') AS c,
                   jsonb_each(CASE jsonb_typeof(c.value) WHEN 'object' THEN c.value ELSE '{}' END) AS part
             WHERE jsonb_typeof(part.value) <> 'null') AS "values"
     WHERE key NOT IN ('company_id', 'updated_at', 'search_words')
$$;

-- Adds the words of goods that were written to those of their company: words of three letters, and codes of six characters.
-- Two transactions at once may add a word twice, which does no harm; a unique index would have them wait for each other.
-- Each word is looked up in the index: a join in another way would read the words of all companies for each batch of goods.
CREATE OR REPLACE FUNCTION "keep_good_words"() RETURNS trigger
LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    INSERT INTO "good_words" ("company_id", "word")
    SELECT w."company_id", w."word"
      FROM (SELECT DISTINCT "company_id", substr(entry, char_length("company_id"::text) + 2) AS "word"
              FROM (SELECT "company_id", unnest(tsvector_to_array("search_words")) AS entry FROM "written") AS entries
             WHERE starts_with(entry, "company_id" || ':')
            OFFSET 0) AS w
     WHERE char_length(w."word") >= CASE WHEN starts_with(w."word", '#') THEN 7 ELSE 3 END
       AND NOT EXISTS (SELECT FROM "good_words" g WHERE g."company_id" = w."company_id" AND g."word" COLLATE "C" = w."word");
    RETURN NULL;
END
$$;
