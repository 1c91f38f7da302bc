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
