DROP TRIGGER branch_good_properties_count_added ON branch_good_properties;

DROP TRIGGER branch_good_properties_count_removed ON branch_good_properties;

DROP TRIGGER branch_goods_count_added ON branch_goods;

DROP TRIGGER branch_goods_count_removed ON branch_goods;

DROP TRIGGER branch_groups_external_id_added ON branch_groups;

DROP TRIGGER branch_groups_external_id_changed ON branch_groups;

DROP TRIGGER branch_groups_external_id_removed ON branch_groups;

DROP TRIGGER branches_external_id_added ON branches;

DROP TRIGGER branches_external_id_changed ON branches;

DROP TRIGGER branches_external_id_removed ON branches;

DROP TRIGGER carts_count_added ON carts;

DROP TRIGGER carts_count_removed ON carts;

DROP TRIGGER clients_count_added ON clients;

DROP TRIGGER clients_count_deleted ON clients;

DROP TRIGGER clients_count_removed ON clients;

DROP TRIGGER clients_external_id_added ON clients;

DROP TRIGGER clients_external_id_changed ON clients;

DROP TRIGGER clients_external_id_removed ON clients;

DROP TRIGGER coupons_count_added ON coupons;

DROP TRIGGER coupons_count_deleted ON coupons;

DROP TRIGGER coupons_count_removed ON coupons;

DROP TRIGGER coupons_external_id_added ON coupons;

DROP TRIGGER coupons_external_id_changed ON coupons;

DROP TRIGGER coupons_external_id_removed ON coupons;

DROP TRIGGER good_properties_count_added ON good_properties;

DROP TRIGGER good_properties_count_removed ON good_properties;

DROP TRIGGER goods_count_added ON goods;

DROP TRIGGER goods_count_deleted ON goods;

DROP TRIGGER goods_count_removed ON goods;

DROP TRIGGER goods_external_id_added ON goods;

DROP TRIGGER goods_external_id_changed ON goods;

DROP TRIGGER goods_external_id_removed ON goods;

DROP TRIGGER orders_count_added ON orders;

DROP TRIGGER orders_count_removed ON orders;

DROP TRIGGER orders_external_id_added ON orders;

DROP TRIGGER orders_external_id_changed ON orders;

DROP TRIGGER orders_external_id_removed ON orders;

DROP TRIGGER properties_count_added ON properties;

DROP TRIGGER properties_count_removed ON properties;

DROP TRIGGER properties_external_id_added ON properties;

DROP TRIGGER properties_external_id_changed ON properties;

DROP TRIGGER properties_external_id_removed ON properties;

DROP TRIGGER providers_external_id_added ON providers;

DROP TRIGGER providers_external_id_changed ON providers;

DROP TRIGGER providers_external_id_removed ON providers;

-- Says for the rest of the transaction who acts, as JSON; '' says nobody. It sets "audit.context" by the statement, which a distributed database
-- tells its workers, where the function "set_config" would tell the coordinator alone.
CREATE OR REPLACE FUNCTION "act_as"(_actor text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL audit.context = %L', _actor);
END
$$;

-- Writes the entries of the journal and of the audit trail for all rows that a statement has added to a table where many are added at once. It
-- takes the arguments of "audit_row", and the new rows as "written". What they say is read by a statement of its own, and written
-- company by company, as in "count_rows".
CREATE OR REPLACE FUNCTION "audit_new_rows"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _company_id integer;
    _ids bigint[];
    _keys jsonb[];
    _places jsonb[];
    _changes jsonb[];
    _bytes bigint;
    _long_bytes bigint;
BEGIN
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"("company_id", TG_ARGV[3], 'create', "id", '{}', _context) FROM "written";
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    FOR _company_id, _ids, _keys, _places, _changes, _bytes, _long_bytes IN
        SELECT e."company_id",
               array_agg(CASE WHEN _key = '{}' THEN e."row" ->> 'id' END::bigint),
               array_agg(CASE WHEN _key <> '{}' THEN (SELECT jsonb_object_agg(name, e."row" -> name) FROM unnest(_key) AS name) END),
               array_agg(CASE WHEN _key <> '{}' THEN "audit_place"(e."row") END),
               array_agg(e."changes"), sum(e."bytes"), sum(e."bytes") FILTER (WHERE e."bytes" > 4096)
          FROM (SELECT c."company_id", c."row", c."changes", CASE WHEN c."bytes" > 64000 THEN octet_length(c."changes"::text) ELSE c."bytes" END AS "bytes"
                  FROM (SELECT w."company_id", w."row", w."bytes", CASE WHEN w."bytes" > 64000 THEN "audit_bounded"(w."changes") ELSE w."changes" END AS "changes"
                          FROM (SELECT n."company_id", n."row", v."changes", octet_length(v."changes"::text) AS "bytes"
                                  FROM (SELECT "company_id", to_jsonb("written") AS "row" FROM "written" OFFSET 0) AS n,
                                       "audit_values"(n."row", _hidden) AS v
                                OFFSET 0) AS w
                        OFFSET 0) AS c
                OFFSET 0) AS e
         GROUP BY e."company_id"
    LOOP
        INSERT INTO "audit_entries"
            ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
             "action", "target_type", "target_id", "target_key", "changes", "place")
        SELECT _company_id,
               _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
               (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
               'create', TG_ARGV[0], n."id", n."key", n."changes", n."place"
          FROM unnest(_ids, _keys, _changes, _places) AS n("id", "key", "changes", "place");
        INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
        IF _long_bytes IS NOT NULL THEN
            PERFORM "charge_audit_bytes"(_company_id, _long_bytes, _context);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes what becomes of a row that has changed: an entry of the journal, and one of the audit trail when the setting
-- "audit.context" of the transaction says who acts. The trigger names the kind of row, the columns whose values are not shown,
-- the columns of a key that is no "id", and the row's type in the journal, if it has one. An entry has at most 64 KB. It
-- writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "audit_row"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
    _new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
    _row jsonb := _old || _new;
    _hidden text[] := coalesce(TG_ARGV[1], '{}');
    _key text[] := coalesce(TG_ARGV[2], '{}');
    _changes jsonb;
    _company_id integer := coalesce(_row ->> 'company_id', _row ->> 'id')::integer;
    _action text := CASE TG_OP
        WHEN 'INSERT' THEN 'create'
        WHEN 'DELETE' THEN 'delete'
        ELSE CASE
            WHEN _old ->> 'deleted_at' IS NULL AND _new ->> 'deleted_at' IS NOT NULL THEN 'delete'
            WHEN _old ->> 'deleted_at' IS NOT NULL AND _new ->> 'deleted_at' IS NULL THEN 'restore'
            ELSE 'update'
        END
    END;
    _bytes integer;
    _place jsonb;
    _named jsonb;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF _context IS NULL THEN
            PERFORM "note_change"(_company_id, TG_ARGV[3], 'create', (_row ->> 'id')::bigint, '{}', NULL);
            RETURN NULL;
        END IF;
        SELECT "changes" INTO _changes FROM "audit_values"(_new, _hidden);
    ELSE
        _changes := "audit_changes"(_old, _new, _hidden);
    END IF;
    -- Whoever changed the row since this transaction began may have a later number: what comes now is told behind that.
    IF TG_NARGS = 4 AND (_old ->> 'updated_at')::timestamptz >= date_trunc('milliseconds', now()) THEN
        PERFORM set_config(
            'journal.place',
            greatest(
                nullif(current_setting('journal.place', true), '')::bigint,
                pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text,
            true);
    END IF;
    IF _changes IS NULL AND TG_OP = 'UPDATE' THEN
        RETURN NULL;
    END IF;
    _changes := coalesce(_changes, '{}');
    -- A row that is there leads to its shop by itself.
    IF TG_OP = 'DELETE' OR _key <> '{}'
        OR (TG_OP = 'UPDATE' AND EXISTS (SELECT FROM jsonb_object_keys(_changes) AS key WHERE key LIKE '%\_id')) THEN
        _place := "audit_place"(CASE TG_OP WHEN 'INSERT' THEN _new ELSE _old END);
    END IF;
    IF TG_NARGS = 4 THEN
        PERFORM "note_change"(
            _company_id, TG_ARGV[3], _action, (_row ->> 'id')::bigint,
            CASE _action
                WHEN 'update' THEN ARRAY(SELECT DISTINCT split_part(key, '.', 1) FROM jsonb_object_keys(_changes) AS key)
                ELSE '{}'
            END,
            CASE WHEN _place IS NULL THEN _context ELSE coalesce(_context, '{}') || jsonb_build_object('place', _place) END);
    END IF;
    IF _context IS NULL THEN
        RETURN NULL;
    END IF;
    _bytes := octet_length(_changes::text);
    IF _bytes > 4096 THEN
        IF _bytes > 64000 THEN
            _changes := "audit_bounded"(_changes);
            _bytes := octet_length(_changes::text);
        END IF;
        PERFORM "charge_audit_bytes"(_company_id, _bytes, _context);
    END IF;
    IF _key <> '{}' THEN
        SELECT jsonb_object_agg(name, _row -> name) INTO _named FROM unnest(_key) AS name;
    END IF;
    INSERT INTO "usage_counts" ("company_id", "name", "day", "amount") VALUES (_company_id, 'trail', current_date, _bytes);
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "target_key", "changes", "place")
    VALUES (
        _company_id,
        _context ->> 'operation', _context ->> 'requestId', _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        _action,
        TG_ARGV[0],
        CASE WHEN _key = '{}' THEN coalesce(_row ->> 'id', _row ->> 'company_id') END::bigint,
        _named,
        _changes,
        _place);
    RETURN NULL;
END
$$;

-- Notes in "row_counts" how many rows a statement has added, removed or deleted softly. The arguments are the table and, where its rows can
-- be deleted softly, 'soft': a part of a distributed table has a name of its own.
-- What has changed is counted by a statement of its own: a distributed table cannot be written from rows that the transaction alone sees.
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _sign integer := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
    _company integer;
    _live bigint;
    _deleted bigint;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        _sign := CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END;
        INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
        VALUES (NEW."company_id", TG_ARGV[0], _sign, -_sign);
    ELSIF TG_NARGS = 2 THEN
        FOR _company, _live, _deleted IN
            SELECT "company_id", _sign * count(*) FILTER (WHERE "deleted_at" IS NULL),
                   _sign * count(*) FILTER (WHERE "deleted_at" IS NOT NULL)
              FROM "changed" GROUP BY "company_id"
        LOOP
            INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
            VALUES (_company, TG_ARGV[0], _live, _deleted);
        END LOOP;
    ELSE
        FOR _company, _live IN SELECT "company_id", _sign * count(*) FROM "changed" GROUP BY "company_id" LOOP
            INSERT INTO "row_counts" ("company_id", "table_name", "live", "deleted")
            VALUES (_company, TG_ARGV[0], _live, 0);
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;

-- Notes in "usage_counts" what rows that a statement has added or removed use of a quota of their company. The arguments name
-- the quota and the column with the amount. The amounts are summed by a statement of their own, as in "count_rows".
CREATE OR REPLACE FUNCTION "count_usage"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _company integer;
    _amount bigint;
BEGIN
    FOR _company, _amount IN
        SELECT c."company_id", CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END * sum((to_jsonb(c) ->> TG_ARGV[1])::bigint)
          FROM "changed" AS c GROUP BY c."company_id"
    LOOP
        INSERT INTO "usage_counts" ("company_id", "name", "amount") VALUES (_company, TG_ARGV[0], _amount);
    END LOOP;
    RETURN NULL;
END
$$;

-- Whether what the type and key of a holder name is a row of the company, deleted or not.
CREATE OR REPLACE FUNCTION "holder_exists"(_company integer, _type text, _key integer) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    CASE _type
        WHEN 'company' THEN RETURN _key = _company;
        WHEN 'account' THEN PERFORM FROM "admins" WHERE "company_id" = _company AND "account_id" = _key;
        WHEN 'client' THEN PERFORM FROM "clients" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'provider' THEN PERFORM FROM "providers" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'branch' THEN PERFORM FROM "branches" WHERE "company_id" = _company AND "id" = _key;
        WHEN 'city' THEN PERFORM FROM "cities" WHERE "company_id" = _company AND "id" = _key;
        ELSE RETURN false;
    END CASE;
    RETURN FOUND;
END
$$;

-- Keeps in "external_ids" which row has an id of the company's own systems. The arguments are the table and, where its rows can be deleted
-- softly, 'soft': a deleted row gives its id up, and takes it again when it is restored.
CREATE OR REPLACE FUNCTION "keep_external_id"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _deleted_id integer := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "external_ids"
         WHERE "company_id" = OLD."company_id" AND "table_name" = TG_ARGV[0]
           AND "external_id" = OLD."external_id" AND "entity_id" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' AND NEW."external_id" IS NOT NULL THEN
        -- Other tables have no such column, so the expression stands alone.
        IF TG_NARGS = 2 THEN
            _deleted_id := CASE WHEN NEW."deleted_at" IS NULL THEN 0 ELSE NEW."id" END;
        END IF;
        INSERT INTO "external_ids" ("company_id", "table_name", "external_id", "deleted_id", "entity_id")
        VALUES (NEW."company_id", TG_ARGV[0], NEW."external_id", _deleted_id, NEW."id");
    END IF;
    RETURN NULL;
END
$$;

-- Adds the words of goods that were written to those of their company: words of three letters, and codes of six characters.
-- Two transactions at once may add a word twice, which does no harm; a unique index would have them wait for each other.
-- A change of other columns, such as prices, brings no words.
-- Each word is looked up in the index, by a list: a join might read the words of all companies for each batch of goods.
CREATE OR REPLACE FUNCTION "keep_good_words"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _words text[];
    _known text[];
BEGIN
    -- In a trigger of new rows there are no replaced ones, so the expression stands alone.
    IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT "company_id", "search_words" FROM "written" EXCEPT SELECT "company_id", "search_words" FROM "replaced") THEN
            RETURN NULL;
        END IF;
    END IF;
    FOR _company, _words IN
        SELECT w."company_id", array_agg(w."word")
          FROM (SELECT DISTINCT "company_id", substr(entry, char_length("company_id"::text) + 2) AS "word"
                  FROM (SELECT "company_id", unnest(tsvector_to_array("search_words")) AS entry FROM "written") AS entries
                 WHERE starts_with(entry, "company_id" || ':')
                OFFSET 0) AS w
         WHERE char_length(w."word") >= CASE WHEN starts_with(w."word", '#') THEN 7 ELSE 3 END
         GROUP BY w."company_id"
    LOOP
        _known := ARRAY(SELECT "word" FROM "good_words" WHERE "company_id" = _company AND "word" COLLATE "C" = ANY (_words));
        INSERT INTO "good_words" ("company_id", "word")
        SELECT _company, w."word" FROM (SELECT unnest(_words) EXCEPT SELECT unnest(_known)) AS w("word");
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what. A transaction that has changed a row behind another one
-- with a later number goes on by the latest number that had ended by then, so that changes of one row stand in their order. The first
-- entry of a company in a transaction goes with a message to the service, which spreads the news.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "place", "request_id", "actor_kind",
         "actor_id", "trace_parent")
    VALUES (
        _company_id,
        greatest(pg_current_xact_id()::text::bigint, nullif(current_setting('journal.place', true), '')::bigint),
        date_trunc('milliseconds', clock_timestamp()), _type,
        CASE WHEN _action = 'create' THEN 'created' WHEN _action = 'delete' THEN 'deleted' WHEN _action = 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context -> 'place', _context ->> 'requestId', _context ->> 'actorKind',
        coalesce(_context ->> 'adminId', _context ->> 'clientId', _context ->> 'apiKeyId')::integer,
        _context ->> 'traceParent');
    IF current_setting('journal.company', true) IS DISTINCT FROM _company_id::text THEN
        PERFORM set_config('journal.company', _company_id::text, true);
        RAISE INFO 'entries of the journal' USING ERRCODE = 'UT002', DETAIL = _company_id::text;
    END IF;
END
$$;

-- Takes the holds that a statement removed off the counts of their coupons. They are summed by a statement of their own, as in
-- "count_rows"; coupons are locked in the order of their ids.
CREATE OR REPLACE FUNCTION "uncount_coupon_holds"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _company integer;
    _coupon integer;
    _count integer;
    _amount bigint;
BEGIN
    FOR _company, _coupon, _count, _amount IN
        SELECT "company_id", "coupon_id", count(*), sum("amount_e2") FROM "removed" GROUP BY 1, 2 ORDER BY 1, 2
    LOOP
        UPDATE "coupons" SET "held_count" = "held_count" - _count, "held_amount_e2" = "held_amount_e2" - _amount
         WHERE "company_id" = _company AND "id" = _coupon;
    END LOOP;
    RETURN NULL;
END
$$;

-- The balances of what the type and key of a holder name that are not 0, by currency. They stay as they are until the
-- transaction ends, so that their holder can be deleted when there are none: its row is locked before.
CREATE OR REPLACE FUNCTION "unsettled_balances"(_company integer, _type text, _key integer)
RETURNS TABLE (currency_iso text, balance_e2 bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    FOR currency_iso, balance_e2 IN
        SELECT h."currency_iso", h."balance_e2" FROM "balance_holders" AS h
         WHERE h."company_id" = _company AND h."type" = _type AND h."key" = _key
         ORDER BY h."currency_iso" COLLATE "C" FOR UPDATE
    LOOP
        IF balance_e2 <> 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;

CREATE TRIGGER branch_good_properties_count_added AFTER INSERT ON public.branch_good_properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('branch_good_properties');

CREATE TRIGGER branch_good_properties_count_removed AFTER DELETE ON public.branch_good_properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('branch_good_properties');

CREATE TRIGGER branch_goods_count_added AFTER INSERT ON public.branch_goods REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('branch_goods');

CREATE TRIGGER branch_goods_count_removed AFTER DELETE ON public.branch_goods REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('branch_goods');

CREATE TRIGGER branch_groups_external_id_added AFTER INSERT ON public.branch_groups FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('branch_groups');

CREATE TRIGGER branch_groups_external_id_changed AFTER UPDATE OF external_id ON public.branch_groups FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id('branch_groups');

CREATE TRIGGER branch_groups_external_id_removed AFTER DELETE ON public.branch_groups FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('branch_groups');

CREATE TRIGGER branches_external_id_added AFTER INSERT ON public.branches FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('branches');

CREATE TRIGGER branches_external_id_changed AFTER UPDATE OF external_id ON public.branches FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id('branches');

CREATE TRIGGER branches_external_id_removed AFTER DELETE ON public.branches FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('branches');

CREATE TRIGGER carts_count_added AFTER INSERT ON public.carts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('carts');

CREATE TRIGGER carts_count_removed AFTER DELETE ON public.carts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('carts');

CREATE TRIGGER clients_count_added AFTER INSERT ON public.clients REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('clients', 'soft');

CREATE TRIGGER clients_count_deleted AFTER UPDATE OF deleted_at ON public.clients FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows('clients');

CREATE TRIGGER clients_count_removed AFTER DELETE ON public.clients REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('clients', 'soft');

CREATE TRIGGER clients_external_id_added AFTER INSERT ON public.clients FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('clients', 'soft');

CREATE TRIGGER clients_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.clients FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('clients', 'soft');

CREATE TRIGGER clients_external_id_removed AFTER DELETE ON public.clients FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('clients', 'soft');

CREATE TRIGGER coupons_count_added AFTER INSERT ON public.coupons REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('coupons', 'soft');

CREATE TRIGGER coupons_count_deleted AFTER UPDATE OF deleted_at ON public.coupons FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows('coupons');

CREATE TRIGGER coupons_count_removed AFTER DELETE ON public.coupons REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('coupons', 'soft');

CREATE TRIGGER coupons_external_id_added AFTER INSERT ON public.coupons FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('coupons', 'soft');

CREATE TRIGGER coupons_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.coupons FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('coupons', 'soft');

CREATE TRIGGER coupons_external_id_removed AFTER DELETE ON public.coupons FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('coupons', 'soft');

CREATE TRIGGER good_properties_count_added AFTER INSERT ON public.good_properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('good_properties');

CREATE TRIGGER good_properties_count_removed AFTER DELETE ON public.good_properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('good_properties');

CREATE TRIGGER goods_count_added AFTER INSERT ON public.goods REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('goods', 'soft');

CREATE TRIGGER goods_count_deleted AFTER UPDATE OF deleted_at ON public.goods FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_rows('goods');

CREATE TRIGGER goods_count_removed AFTER DELETE ON public.goods REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('goods', 'soft');

CREATE TRIGGER goods_external_id_added AFTER INSERT ON public.goods FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('goods', 'soft');

CREATE TRIGGER goods_external_id_changed AFTER UPDATE OF external_id, deleted_at ON public.goods FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR ((new.external_id IS NOT NULL) AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))))) EXECUTE FUNCTION keep_external_id('goods', 'soft');

CREATE TRIGGER goods_external_id_removed AFTER DELETE ON public.goods FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('goods', 'soft');

CREATE TRIGGER orders_count_added AFTER INSERT ON public.orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('orders');

CREATE TRIGGER orders_count_removed AFTER DELETE ON public.orders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('orders');

CREATE TRIGGER orders_external_id_added AFTER INSERT ON public.orders FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('orders');

CREATE TRIGGER orders_external_id_changed AFTER UPDATE OF external_id ON public.orders FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id('orders');

CREATE TRIGGER orders_external_id_removed AFTER DELETE ON public.orders FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('orders');

CREATE TRIGGER properties_count_added AFTER INSERT ON public.properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('properties');

CREATE TRIGGER properties_count_removed AFTER DELETE ON public.properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows('properties');

CREATE TRIGGER properties_external_id_added AFTER INSERT ON public.properties FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('properties');

CREATE TRIGGER properties_external_id_changed AFTER UPDATE OF external_id ON public.properties FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id('properties');

CREATE TRIGGER properties_external_id_removed AFTER DELETE ON public.properties FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('properties');

CREATE TRIGGER providers_external_id_added AFTER INSERT ON public.providers FOR EACH ROW WHEN ((new.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('providers');

CREATE TRIGGER providers_external_id_changed AFTER UPDATE OF external_id ON public.providers FOR EACH ROW WHEN ((old.external_id IS DISTINCT FROM new.external_id)) EXECUTE FUNCTION keep_external_id('providers');

CREATE TRIGGER providers_external_id_removed AFTER DELETE ON public.providers FOR EACH ROW WHEN ((old.external_id IS NOT NULL)) EXECUTE FUNCTION keep_external_id('providers');

-- Adds movements of a company, up to a settled one (see settled_movement), to its sums by hour: at most `_most`, in the order of
-- their ids. Returns how many it added; 0: all are summed. So it may be broken off, and of two at once one waits.
--
-- The sums go by ids, not by moments: a movement that is written later and dated earlier is added to its hour then. Sums that
-- are not as many as they should be are made anew.
CREATE OR REPLACE FUNCTION "sum_movements"(_company integer, _settled bigint, _most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _end "balance_hour_ends";
    _last bigint;
    _count integer;
    _now timestamptz;
BEGIN
    LOOP
        SELECT * INTO _end FROM "balance_hour_ends" WHERE "company_id" = _company FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO "balance_hour_ends" ("company_id") VALUES (_company) ON CONFLICT DO NOTHING;
    END LOOP;
    IF _end."movement_count" <> (SELECT coalesce(sum("movement_count"), 0) FROM "balance_hours" WHERE "company_id" = _company) THEN
        DELETE FROM "balance_hours" WHERE "company_id" = _company;
        _end."last_id" := 0;
        _end."movement_count" := 0;
    END IF;
    SELECT max(m."id"), count(*) INTO _last, _count FROM (
        SELECT "id" FROM "balance_movements"
         WHERE "company_id" = _company AND "id" > _end."last_id" AND "id" <= _settled ORDER BY "id" LIMIT _most) AS m;
    INSERT INTO "balance_hours" AS h
           ("company_id", "currency_iso", "hour", "holder_type", "account", "holders", "movement_count", "credit_e2", "amount_e2")
    SELECT _company, m."currency_iso", date_trunc('hour', m."created_at", 'UTC'), m."holder_type",
           CASE WHEN m."holder_key" < 0 THEN -m."holder_key" / 64 ELSE 0 END,
           count(*) FILTER (WHERE m."number" = 1), count(*), sum(greatest(m."amount_e2", 0)), sum(m."amount_e2")
      FROM "balance_movements" AS m
     WHERE m."company_id" = _company AND m."id" > _end."last_id" AND m."id" <= _last
     GROUP BY 2, 3, 4, 5
        ON CONFLICT ("company_id", "currency_iso", "hour", "holder_type", "account") DO UPDATE
       SET "holders" = h."holders" + excluded."holders", "movement_count" = h."movement_count" + excluded."movement_count",
           "credit_e2" = h."credit_e2" + excluded."credit_e2", "amount_e2" = h."amount_e2" + excluded."amount_e2";
    _now := clock_timestamp();
    UPDATE "balance_hour_ends"
       SET "last_id" = coalesce(_last, _end."last_id"), "movement_count" = _end."movement_count" + _count,
           "summed_at" = _now
     WHERE "company_id" = _company;
    RETURN _count;
END
$$;

-- Writes an entry of the audit trail for a login of an admin that begins or ends, whichever operation ends it. Who acts stands in
-- the setting "audit.context" of the transaction; without an actor it is the admin. A login that ends by a token which came a
-- second time has no context. One that begins on a device that is not known is a change of the admin's devices, in the journal, too. It
-- moves no version, since nothing of the admin's row has changed. It writes as its owner: the service needs no right to write
-- entries by itself.
CREATE OR REPLACE FUNCTION "audit_session"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    _context jsonb := nullif(current_setting('audit.context', true), '');
    _is_new_device boolean := TG_OP = 'INSERT' AND NEW."is_new_device";
BEGIN
    IF TG_OP = 'INSERT' AND EXISTS (
        SELECT FROM "refresh_tokens" WHERE "company_id" = NEW."company_id" AND "family_id" = NEW."family_id" AND "id" <> NEW."id") THEN
        RETURN NULL;
    END IF;
    IF _context ->> 'actorKind' IS NULL THEN
        _context := coalesce(_context, '{}') || jsonb_build_object('actorKind', 'admin', 'adminId', NEW."subject_id");
    END IF;
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "actor_kind", "admin_id", "client_id", "api_key_id",
         "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (
        NEW."company_id",
        coalesce(_context ->> 'operation', 'refreshToken'), coalesce(_context ->> 'requestId', 'unknown'), _context ->> 'actorKind',
        (_context ->> 'adminId')::integer, (_context ->> 'clientId')::integer, (_context ->> 'apiKeyId')::integer,
        CASE WHEN TG_OP = 'INSERT' THEN 'sign_in' ELSE 'session_end' END,
        'admin', NEW."subject_id",
        CASE WHEN _is_new_device THEN jsonb_build_object('devices', jsonb_build_array(NULL, NEW."device")) ELSE '{}' END,
        NEW."address", NEW."device");
    IF _is_new_device THEN
        PERFORM "note_change"(NEW."company_id", 'Admin', 'update', NEW."subject_id", '{devices}', _context);
    END IF;
    RETURN NULL;
END
$$;
