-- Writes an entry of the audit trail for an admin as whom somebody was refused to sign in. It writes as its owner: the service needs no
-- right to write entries by itself.
CREATE OR REPLACE FUNCTION "record_refused_sign_in"(
    _company_id integer, _admin_id integer, _request_id text, _address text, _device text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "audit_entries"
        ("company_id", "operation", "request_id", "action", "target_type", "target_id", "changes", "address", "device")
    VALUES (_company_id, 'login', _request_id, 'sign_in_refused', 'admin', _admin_id, '{}', _address, _device);
END
$$;
