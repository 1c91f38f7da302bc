-- Holds the key of a request until the transaction ends. It raises UK001 when another transaction holds it, without waiting, UK002
-- when an answer is kept under it, and UK003 when the keeper has used up the bytes that it may have ("_room").
--
-- The answer is looked for by a statement of its own, which sees what was committed before the key was locked.
CREATE OR REPLACE FUNCTION "hold_key"(
    _id bytea, _lock bigint, _keeper bytea, _room bigint, _lock_timeout text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _timeout text := set_config('lock_timeout', _lock_timeout, true);
    _is_answered boolean;
    _is_full boolean;
BEGIN
    IF NOT pg_try_advisory_xact_lock(_lock) THEN
        RAISE EXCEPTION 'another request holds the key' USING ERRCODE = 'UK001';
    END IF;
    SELECT EXISTS (SELECT FROM "idempotency_keys" WHERE "id" = _id AND "expires_at" > now()),
           EXISTS (SELECT FROM "idempotency_quotas" WHERE "owner" = _keeper AND "ends_at" > now() AND "bytes" >= _room)
      INTO _is_answered, _is_full;
    IF _is_answered THEN
        RAISE EXCEPTION 'an answer is kept under the key' USING ERRCODE = 'UK002';
    ELSIF _is_full THEN
        RAISE EXCEPTION 'the keeper of the answer has no room' USING ERRCODE = 'UK003';
    END IF;
END
$$;
