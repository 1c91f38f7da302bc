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
