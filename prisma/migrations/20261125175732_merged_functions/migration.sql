-- A change in the journal names the key that made it, and what follows the journal hears of it.
DROP TRIGGER coupons_audit ON coupons;

DROP TRIGGER orders_audit ON orders;

-- Writes an entry of the journal: what became of a row, by which columns, in this transaction. Entries have the number of the
-- transaction, since only that says what can still be committed before what. The first entry of a company in a transaction goes
-- with a message to the service, which spreads the news.
CREATE OR REPLACE FUNCTION "note_change"(
    _company_id integer, _type text, _action text, _entity_id bigint, _fields text[], _context jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO "journal_entries"
        ("company_id", "transaction", "at", "type", "action", "entity_id", "fields", "request_id", "actor_kind", "actor_id")
    VALUES (
        _company_id, pg_current_xact_id()::text::bigint, date_trunc('milliseconds', clock_timestamp()), _type,
        CASE _action WHEN 'create' THEN 'created' WHEN 'delete' THEN 'deleted' WHEN 'restore' THEN 'restored' ELSE 'updated' END,
        _entity_id, _fields, _context ->> 'requestId', _context ->> 'actorKind',
        coalesce(_context ->> 'adminId', _context ->> 'clientId', _context ->> 'apiKeyId')::integer);
    IF current_setting('journal.company', true) IS DISTINCT FROM _company_id::text THEN
        PERFORM set_config('journal.company', _company_id::text, true);
        RAISE INFO 'entries of the journal' USING ERRCODE = 'UT002', DETAIL = _company_id::text;
    END IF;
END
$$;

CREATE TRIGGER coupons_audit AFTER INSERT OR DELETE OR UPDATE OF company_id, id, name, external_id, promo_code, type, status, price_e2, price_prc, min_purchase_e2, total_count, generated_count, voided_count, uploaded_count, code_length, starts_at, ends_at, paused_at, branch_id, branch_group_id, applies_to, target_type, config, currency_iso, whitelist, loop_config, campaign_id, company_event_id, created_at, updated_at, version, shares_second, deleted_at ON public.coupons FOR EACH ROW EXECUTE FUNCTION audit_row('coupon', '{}', '{}', 'Coupon');

CREATE TRIGGER orders_audit AFTER INSERT OR DELETE OR UPDATE OF company_id, id, external_id, client_id, branch_id, shopper_id, deliverer_id, shopper_fee_e2, deliverer_fee_e2, subtotal_e2, delivery_e2, total_e2, currency_iso, source, status, created_at, updated_at, version, shares_second ON public.orders FOR EACH ROW EXECUTE FUNCTION audit_row('order', '{}', '{}', 'Order');

COMMENT ON INDEX webhook_deliveries_pkey IS 'key of the rows; list WebhookDelivery: order by id, filters by id';
