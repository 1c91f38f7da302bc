-- Folds some entries of "row_counts", at most that many, into those with the id 0; returns how many. Whoever reads the sums meanwhile gets
-- the same. A distributed database locks no rows of all companies at once: there it is those of the first company that has some.
CREATE OR REPLACE FUNCTION "fold_row_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _of_company text := '';
    _folded integer;
BEGIN
    IF "is_distributed"() THEN
        /* all companies */
        SELECT format('"company_id" = %s AND', "company_id") INTO _of_company
          FROM "row_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT 1;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
    END IF;
    EXECUTE format($statement$
        WITH "taken" AS (
            DELETE FROM "row_counts"
             WHERE %1$s ctid = ANY (ARRAY(
                 SELECT ctid FROM "row_counts" WHERE %1$s "id" > 0 ORDER BY "company_id", "table_name"
                  LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING "company_id", "table_name", "live", "deleted"
        ), "folded" AS (
            INSERT INTO "row_counts" AS "sum" ("company_id", "table_name", "id", "live", "deleted")
            SELECT "company_id", "table_name", 0, sum("live"), sum("deleted")
              FROM "taken" GROUP BY "company_id", "table_name" ORDER BY "company_id", "table_name"
                ON CONFLICT ("company_id", "table_name", "id") DO UPDATE
               SET "live" = "sum"."live" + EXCLUDED."live", "deleted" = "sum"."deleted" + EXCLUDED."deleted"
        )
        SELECT count(*)::integer FROM "taken"
    $statement$, _of_company) INTO _folded USING _most;
    RETURN _folded;
END
$$;

-- Folds some entries of "usage_counts", at most that many, into those with the id 0; returns how many. Whoever reads the sums meanwhile gets
-- the same. A distributed database folds those of one company at a time, as "fold_row_counts" does.
CREATE OR REPLACE FUNCTION "fold_usage_counts"(_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    _of_company text := '';
    _folded integer;
BEGIN
    IF "is_distributed"() THEN
        /* all companies */
        SELECT format('"company_id" = %s AND', "company_id") INTO _of_company
          FROM "usage_counts" WHERE "id" > 0 ORDER BY "company_id" LIMIT 1;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
    END IF;
    EXECUTE format($statement$
        WITH "taken" AS (
            DELETE FROM "usage_counts"
             WHERE %1$s ctid = ANY (ARRAY(
                 SELECT ctid FROM "usage_counts" WHERE %1$s "id" > 0 ORDER BY "company_id", "name", "day"
                  LIMIT $1 FOR UPDATE SKIP LOCKED))
            RETURNING "company_id", "name", "day", "amount"
        ), "folded" AS (
            INSERT INTO "usage_counts" AS "sum" ("company_id", "name", "day", "id", "amount")
            SELECT "company_id", "name", "day", 0, sum("amount")
              FROM "taken" GROUP BY "company_id", "name", "day" ORDER BY "company_id", "name", "day"
                ON CONFLICT ("company_id", "name", "day", "id") DO UPDATE SET "amount" = "sum"."amount" + EXCLUDED."amount"
        )
        SELECT count(*)::integer FROM "taken"
    $statement$, _of_company) INTO _folded USING _most;
    RETURN _folded;
END
$$;

-- Returns whether the rows of the database are spread over workers by their companies, as `npm run db:distribute` sets it.
CREATE OR REPLACE FUNCTION "is_distributed"() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT current_setting('citus.enable_unsafe_triggers', true) IS NOT DISTINCT FROM 'on'
$$;

-- Refuses to change entries of the audit trail, whoever does, but for values that an erasure takes out: nothing takes their place. That
-- one goes on is known by a row that the owner of the tables alone can write, since a setting could be anybody's. It is read apart from
-- the entries: a distributed table is not joined with rows that the transaction alone sees.
CREATE OR REPLACE FUNCTION "keep_audit_values"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    _company_id integer;
    _is_erased boolean := true;
BEGIN
    FOR _company_id IN SELECT DISTINCT "company_id" FROM "written" LOOP
        _is_erased := _is_erased AND EXISTS (
            SELECT FROM "audit_erasures"
             WHERE "company_id" = _company_id AND "transaction" = pg_current_xact_id()::text::bigint);
    END LOOP;
    IF NOT _is_erased OR EXISTS (
        SELECT FROM "written" AS w
         WHERE NOT EXISTS (
             SELECT FROM "replaced" AS r
              WHERE r."company_id" = w."company_id" AND r."id" = w."id"
                AND to_jsonb(r) - '{changes,address,device}'::text[] = to_jsonb(w) - '{changes,address,device}'::text[]
                AND (w."address" IS NULL OR w."address" = r."address")
                AND (w."device" IS NULL OR w."device" = r."device")
                AND w."changes" = coalesce((
                    SELECT jsonb_object_agg(
                               key, CASE WHEN w."changes" -> key = '[null, null]' THEN '[null, null]' ELSE value END)
                      FROM jsonb_each(r."changes")), '{}'))) THEN
        RAISE EXCEPTION 'entries of the audit trail are never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Gives a row the number of the transaction that writes it: in a distributed database that of the worker, which is also the one in which
-- the triggers of other rows of the company see it.
CREATE OR REPLACE FUNCTION "name_transaction"() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW."transaction" := pg_current_xact_id()::text::bigint;
    RETURN NEW;
END
$$;

-- Keeps the states of files in step with the column that owns them: for a trigger after each row of the owner's table.
-- Its arguments name the column and, in JSON, the keys that lead to the file. A file that a row gets becomes used, and
-- the one that it had becomes unused.
CREATE OR REPLACE FUNCTION "own_file"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _old text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) #>> TG_ARGV END;
    _new text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) #>> TG_ARGV END;
    _now CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF _new IS NOT DISTINCT FROM _old THEN
        RETURN NULL;
    END IF;
    UPDATE "stored_files" SET "state" = 'unused', "since" = _now
     WHERE "company_id" = OLD."company_id" AND "key" = _old;
    IF _new IS NOT NULL THEN
        UPDATE "stored_files" SET "state" = 'used', "since" = _now
         WHERE "company_id" = NEW."company_id" AND "key" = _new AND "state" = 'pending';
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the file % is not pending', _new USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END
$$;

-- Does what "own_file" does for lists: a trigger's arguments name columns of texts, among which are keys of files. Other
-- texts are no files of the store. A file that moves within these columns stays used.
CREATE OR REPLACE FUNCTION "own_files"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _old text[] := '{}';
    _new text[] := '{}';
    _got text[];
    _column text;
    _now CONSTANT timestamptz := clock_timestamp();
BEGIN
    FOREACH _column IN ARRAY TG_ARGV LOOP
        IF TG_OP <> 'INSERT' THEN
            _old := _old || ARRAY(SELECT jsonb_array_elements_text(to_jsonb(OLD) -> _column));
        END IF;
        IF TG_OP <> 'DELETE' THEN
            _new := _new || ARRAY(SELECT jsonb_array_elements_text(to_jsonb(NEW) -> _column));
        END IF;
    END LOOP;
    IF _new = _old THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        UPDATE "stored_files" SET "state" = 'unused', "since" = _now
         WHERE "company_id" = OLD."company_id" AND "key" = ANY(_old) AND "key" <> ALL(_new);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        _got := ARRAY(SELECT DISTINCT key FROM unnest(_new) AS key
                       WHERE key ~ '^[0-9a-f]{32}[.](jpg|png)$' AND key <> ALL(_old));
        WITH taken AS (
            UPDATE "stored_files" SET "state" = 'used', "since" = _now
             WHERE "company_id" = NEW."company_id" AND "key" = ANY(_got) AND "state" = 'pending'
            RETURNING "key")
        SELECT array_agg(key) INTO _got FROM unnest(_got) AS key WHERE key NOT IN (SELECT "key" FROM taken);
        IF _got IS NOT NULL THEN
            RAISE EXCEPTION 'the files % are not pending', _got USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END
$$;

-- Writes an entry of the audit trail for each admin as whom somebody was refused to sign in: the companies and the admins stand in
-- lists of the same order. It writes as its owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_refused_sign_ins"(
    _company_ids integer[], _admin_ids integer[], _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
    SELECT "company_id", 'login', _request_id, 'sign_in_refused', 'admin', "admin_id", '{}', _address, _device
      FROM unnest(_company_ids, _admin_ids) AS "refused" ("company_id", "admin_id");
END
$$;

-- Uses several coupons for an order, all or none. The parameters are those of "use_coupon", as arrays where they differ
-- from coupon to coupon; `_order_seen` is the `xmin` of the order when everything was judged.
-- `_are_free` says that none of the coupons limited anything but its total when everything was judged, and nothing was held of
-- it: then all are used by one statement. A coupon of which that is not so any more has changed.
-- `_wish` is what the order asked for, as a hash: the order keeps the latest eight until one of its uses is given back.
-- `_left_out` are the coupons that had too little left, as "have_more_room" takes them: where one has more by now, all is to be
-- decided anew.
-- Returns a row for each use with the place of its coupon in the arrays; or one row with the outcome that stopped all,
-- at place 0 when it is the order that changed, or what was left out.
CREATE OR REPLACE FUNCTION "use_coupons"(
    _company integer, _order integer, _order_seen xid, _client integer, _at timestamptz,
    _coupons integer[], _code_ids bigint[], _codes text[], _amounts bigint[], _company_amounts bigint[], _seen timestamptz[],
    _held boolean[], _items jsonb[], _deliveries bigint[] DEFAULT NULL, _wish text DEFAULT NULL,
    _limits_since timestamptz[] DEFAULT NULL, _ran_at timestamptz DEFAULT NULL,
    _are_free boolean DEFAULT false, _left_out jsonb DEFAULT NULL
) RETURNS TABLE ("place" integer, "outcome" text, "use_id" bigint, "given_e2" bigint, "given_by_company_e2" bigint)
LANGUAGE plpgsql AS $$
DECLARE
    next integer;
    done record;
    ids bigint[];
    given bigint[];
    given_by_company bigint[];
    reason text;
BEGIN
    BEGIN
        -- What fails below leaves the order as it was, without the wish.
        UPDATE "orders" AS o SET "coupon_version" = o."coupon_version" + 1,
               "coupon_wishes" = CASE WHEN _wish IS NULL THEN o."coupon_wishes"
                                      ELSE (array_prepend(_wish, array_remove(o."coupon_wishes", _wish)))[1:8] END
         WHERE o."company_id" = _company AND o."id" = _order AND o."xmin" = _order_seen;
        IF NOT FOUND THEN
            RETURN QUERY SELECT 0, 'changed', NULL::bigint, NULL::bigint, NULL::bigint;
            RETURN;
        END IF;
        IF _left_out IS NOT NULL THEN
            PERFORM "lock_room_of_coupons"(
                _company, ARRAY(SELECT (l ->> 'coupon')::integer FROM jsonb_array_elements(_left_out) AS l), false);
            IF "have_more_room"(_company, _order, _client, _left_out, _at) THEN
                next := 0;
                reason := 'changed';
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
        END IF;
        -- A distributed database does not run that statement.
        IF _are_free AND NOT "is_distributed"() THEN
            -- Coupons are locked in the order of their ids, as everywhere. The arrays are read by (SELECT …), so that the plan
            -- does not go by their length: else PostgreSQL would plan the statement anew each time, which takes longer than it runs.
            WITH "wanted" AS (
                SELECT * FROM unnest((SELECT _coupons), (SELECT _codes), (SELECT _amounts), (SELECT _company_amounts), (SELECT _seen),
                                     (SELECT _items), (SELECT _deliveries)) WITH ORDINALITY
                    AS w ("coupon_id", "code", "amount_e2", "company_amount_e2", "seen", "items", "delivery_e2", "place")
            ), "locked" AS MATERIALIZED (
                SELECT w.* FROM "wanted" w JOIN "coupons" c ON c."company_id" = _company AND c."id" = w."coupon_id"
                 WHERE c."updated_at" = w."seen" AND c."type" IN ('batch', 'promo') AND c."held_count" = 0
                   AND c."spent_count" < c."total_count" AND c."status" = 'running'
                   AND (c."ends_at" IS NULL OR c."ends_at" > _at) AND c."deleted_at" IS NULL AND c."campaign_id" IS NULL
                   AND c."config" ->> 'limit' IS NULL AND c."config" ->> 'amountLimitE2' IS NULL
                   AND c."config" ->> 'clientAmountLimitE2' IS NULL
                   AND w."amount_e2" <= 9223372036854775807 - c."spent_amount_e2"
                 ORDER BY c."id" FOR NO KEY UPDATE OF c
            ), "taken" AS (
                UPDATE "coupons" AS c
                   SET "spent_count" = c."spent_count" + 1, "spent_amount_e2" = c."spent_amount_e2" + l."amount_e2"
                  FROM "locked" l WHERE c."company_id" = _company AND c."id" = l."coupon_id"
                RETURNING l.*
            ), "made" AS (
                INSERT INTO "coupon_redemptions" AS r
                    ("company_id", "coupon_id", "code", "client_id", "order_id", "amount_e2", "company_amount_e2", "items",
                     "delivery_e2", "created_at")
                SELECT _company, t."coupon_id", t."code", _client, _order, t."amount_e2", t."company_amount_e2", t."items",
                       t."delivery_e2", _at
                  FROM "taken" t ORDER BY t."coupon_id"
                RETURNING r."id", r."coupon_id"
            )
            SELECT array_agg(m."id" ORDER BY t."place") INTO ids
              FROM "made" m JOIN "taken" t ON t."coupon_id" = m."coupon_id";
            IF cardinality(ids) IS DISTINCT FROM cardinality(_coupons) THEN
                next := 0;
                reason := 'changed';
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
            RETURN QUERY SELECT u."place"::integer, 'used', u."id", u."given", u."given_by_company"
              FROM unnest(ids, _amounts, _company_amounts) WITH ORDINALITY AS u ("id", "given", "given_by_company", "place");
            RETURN;
        END IF;
        PERFORM "lock_campaigns"(_company, _coupons);
        FOR next IN SELECT c."place" FROM unnest(_coupons) WITH ORDINALITY AS c ("id", "place") ORDER BY c."id" LOOP
            SELECT * INTO done FROM "use_coupon"(
                _company, _coupons[next], _order, _client, _code_ids[next], _codes[next], _amounts[next],
                _company_amounts[next], _at, NULL, _seen[next], _held[next], NULL, _items[next],
                _deliveries[next], _limits_since[next], _ran_at
            );
            IF done.outcome <> 'used' THEN
                reason := done.outcome;
                RAISE EXCEPTION USING ERRCODE = 'UC001';
            END IF;
            ids[next] := done.use_id;
            given[next] := done.given_e2;
            given_by_company[next] := done.given_by_company_e2;
        END LOOP;
    EXCEPTION WHEN SQLSTATE 'UC001' THEN
        RETURN QUERY SELECT next, reason, NULL::bigint, NULL::bigint, NULL::bigint;
        RETURN;
    END;
    RETURN QUERY SELECT u."place"::integer, 'used', u."id", u."given", u."given_by_company"
      FROM unnest(ids, given, given_by_company) WITH ORDINALITY AS u ("id", "given", "given_by_company", "place");
END
$$;

CREATE TRIGGER audit_erasures_transaction BEFORE INSERT ON public.audit_erasures FOR EACH ROW EXECUTE FUNCTION name_transaction();
