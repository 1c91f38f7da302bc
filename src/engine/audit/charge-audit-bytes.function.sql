-- Counts bytes that entries longer than 4 KB add to the audit trail of a company: refuses them when its quota is used up, and
-- notifies the service whom they cost. The setting "audit.context" has the quota, in bytes, and who pays.
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
