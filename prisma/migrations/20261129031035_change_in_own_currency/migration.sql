-- Gives the client of an order change: the provider who is named pays it (as `shopper` or `deliverer`), else the company.
-- On request it takes back the fee of one of the two, which goes from the provider to the company, in the order's currency,
-- once for each order and role unless that was reversed. An order that is not paid yet gives no more change in all than its
-- total, and none in another currency, of which nobody knows what it is worth. All of it is decided under the lock of the order.
--
-- Outcomes are those of "post_movements", and: `no_order`, `canceled`, `no_client`, `no_payer`, `no_fee`, `fee_taken`, `too_much`.
CREATE OR REPLACE FUNCTION "give_change"(
    _company integer, _order integer, _amount bigint, _currency text, _payer text, _fee_of text,
    _description text, _author integer, _identity bytea, _at timestamptz,
    _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _row "orders";
    _payer_id integer;
    _fee_provider integer;
    _fee bigint;
    -- Whether the same request may have posted before: then what it changed must not refuse it.
    _is_repeat boolean := _identity IS NOT NULL AND EXISTS (
        SELECT FROM "balance_movements" WHERE "company_id" = _company AND "identity" = sha256(_identity || int4send(1)));
BEGIN
    SELECT * INTO _row FROM "orders" WHERE "company_id" = _company AND "id" = _order FOR NO KEY UPDATE;
    _payer_id := CASE _payer WHEN 'shopper' THEN _row."shopper_id" WHEN 'deliverer' THEN _row."deliverer_id" END;
    _fee_provider := CASE _fee_of WHEN 'shopper' THEN _row."shopper_id" WHEN 'deliverer' THEN _row."deliverer_id" END;
    _fee := CASE _fee_of WHEN 'shopper' THEN _row."shopper_fee_e2" WHEN 'deliverer' THEN _row."deliverer_fee_e2" END;
    outcome := CASE
        WHEN _row."id" IS NULL THEN 'no_order'
        WHEN _payer IS NOT NULL AND _payer_id IS NULL THEN 'no_payer'
        WHEN _fee_of IS NOT NULL AND (_fee_provider IS NULL OR _fee = 0) THEN 'no_fee'
        WHEN _row."client_id" IS NULL THEN 'no_client'
        WHEN _is_repeat THEN NULL
        WHEN _row."status" = 'canceled' THEN 'canceled'
        WHEN _row."status" = 'created' AND _row."total_e2" > 0 AND (
            _currency <> _row."currency_iso" OR _row."total_e2" < _amount + coalesce((
                SELECT sum(m."amount_e2") FROM "balance_movements" AS m
                 WHERE m."company_id" = _company AND m."related_type" = 'order' AND m."related_id" = _order
                   AND m."type" = 'change' AND m."holder_type" = 'client' AND m."currency_iso" = _currency
                   AND m."amount_e2" > 0 AND NOT EXISTS (
                       SELECT FROM "balance_movements" AS r WHERE r."company_id" = _company AND r."reverses_id" = m."id")), 0))
            THEN 'too_much'
        WHEN _fee_of IS NOT NULL AND EXISTS (
            SELECT FROM "balance_movements" AS m
             WHERE m."company_id" = _company AND m."related_type" = 'order' AND m."related_id" = _order
               AND m."type" = _fee_of || '_fee' AND NOT EXISTS (
                   SELECT FROM "balance_movements" AS r WHERE r."company_id" = _company AND r."reverses_id" = m."id"))
            THEN 'fee_taken'
    END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    RETURN QUERY SELECT * FROM "post_movements"(
        _company,
        ARRAY['client', CASE WHEN _payer IS NULL THEN 'company' ELSE 'provider' END]
            || CASE WHEN _fee_of IS NULL THEN '{}' ELSE '{provider,company}' END::text[],
        ARRAY[_row."client_id", coalesce(_payer_id, _company)]
            || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_fee_provider, _company] END,
        ARRAY[_currency, _currency] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_row."currency_iso", _row."currency_iso"] END,
        ARRAY[_amount, -_amount] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[-_fee, _fee] END,
        ARRAY['change', 'change'] || CASE WHEN _fee_of IS NOT NULL THEN ARRAY[_fee_of || '_fee', _fee_of || '_fee'] END,
        array_fill(NULL::bigint, ARRAY[CASE WHEN _fee_of IS NULL THEN 2 ELSE 4 END]),
        _description, _author, 'order', _order, _identity, _at, NULL, _request, _actor);
END
$$;
