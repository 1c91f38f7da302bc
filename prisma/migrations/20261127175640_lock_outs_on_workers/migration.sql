-- Writes to the trail and the journal of each admin with an e-mail that its attempts to sign in are used up, once in their window.
-- Nobody acts: whoever has tried is a stranger. It moves no version, since nothing of the admin's row has changed. It writes as its
-- owner: the service needs no right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_lock_out"(
    _email text, _resets_at timestamptz, _operation text, _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    /* all companies */
    -- A right password takes an attempt back, so that the limit may be passed more than once in a window.
    INSERT INTO "rate_limits" AS r ("bucket", "count", "resets_at") VALUES ('login:lock-out:' || lower(_email), 1, _resets_at)
    ON CONFLICT ("bucket") DO UPDATE SET "resets_at" = EXCLUDED."resets_at" WHERE r."resets_at" < EXCLUDED."resets_at";
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM "tell_lock_out"(c."id", a."id", _operation, _request_id, _address, _device)
       FROM "admins" AS a
       JOIN "companies" AS c ON c."id" = a."company_id" AND c."deleted_at" IS NULL
      WHERE lower(a."email") = lower(_email) AND a."deleted_at" IS NULL AND a."suspended_at" IS NULL AND a."password_hash" IS NOT NULL;
END
$$;

-- Writes to the trail and the journal of a company that the attempts to sign in as one of its admins are used up. Call it beside the
-- company's row: in a distributed database entries have the numbers of transactions of the company's worker.
CREATE OR REPLACE FUNCTION "tell_lock_out"(
    _company_id integer, _admin_id integer, _operation text, _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (_company_id, _operation, _request_id, 'lock_out', 'admin', _admin_id, '{}', _address, _device);
    PERFORM "note_change"(
        _company_id, 'Admin', 'update', _admin_id, '{lock_out}', jsonb_build_object('requestId', _request_id));
END
$$;
