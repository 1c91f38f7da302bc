DROP TRIGGER coupon_redemptions_returned_once ON coupon_redemptions;

-- Posts a movement that takes another one back, and points to it, and the same for its counterpart. A movement is reversed
-- once. Of a gift card the use is given back, too: its code can be redeemed again.
--
-- Outcomes are those of "post_movements", and: `no_movement`, `is_reversal` (which is not taken back itself), `incomplete`
-- (it is from before movements had counterparts, and has not got its own yet).
CREATE OR REPLACE FUNCTION "reverse_movement"(
    _company integer, _id bigint, _description text, _author integer, _identity bytea, _at timestamptz,
    _request text DEFAULT NULL, _actor text DEFAULT NULL
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _one "balance_movements";
    _other "balance_movements";
    _account text;
    _use "coupon_redemptions";
    _is_account boolean;
    _row record;
BEGIN
    SELECT * INTO _one FROM "balance_movements" WHERE "company_id" = _company AND "id" = _id;
    outcome := CASE WHEN NOT FOUND THEN 'no_movement' WHEN _one."type" = 'reversal' THEN 'is_reversal' END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT * INTO _other FROM "balance_movements"
     WHERE "company_id" = _company
       AND "id" = coalesce(_one."counterpart_id", (
           SELECT "id" FROM "balance_movements"
            WHERE "company_id" = _company AND "counterpart_id" = _id AND "actor_kind" = 'completion'));
    IF NOT FOUND THEN
        outcome := 'incomplete';
        RETURN NEXT;
        RETURN;
    END IF;
    IF _one."transfer_id" IS NOT NULL THEN
        RETURN QUERY SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type", _other."holder_type"], ARRAY[_one."holder_key", _other."holder_key"],
            ARRAY[_one."currency_iso", _other."currency_iso"], ARRAY[-_one."amount_e2", -_other."amount_e2"],
            ARRAY['reversal', 'reversal'], ARRAY[_one."id", _other."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at, NULL, _request, _actor);
        RETURN;
    END IF;

    _is_account := _one."holder_key" < 0;
    IF _is_account THEN
        _row := _one;
        _one := _other;
        _other := _row;
    END IF;
    SELECT "name" INTO STRICT _account FROM "balance_accounts"
     WHERE "company_id" = _company AND "id" = -_other."holder_key" / 64;
    IF _one."type" = 'gift_card' THEN
        -- The coupon is locked before holders are.
        PERFORM FROM "coupons" WHERE "company_id" = _company AND "id" = _one."related_id" FOR NO KEY UPDATE;
        PERFORM FROM "coupon_redemptions"
         WHERE "company_id" = _company AND "coupon_id" = _one."related_id" AND "movement_id" = _one."id";
        IF NOT FOUND THEN
            outcome := 'no_use';
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;
    FOR _row IN
        SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type"], ARRAY[_one."holder_key"], ARRAY[_one."currency_iso"],
            ARRAY[-_one."amount_e2"], ARRAY['reversal'], ARRAY[_one."id", _other."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at, _account, _request, _actor) AS p
         ORDER BY ((p."movement")."holder_key" < 0) = _is_account DESC
    LOOP
        outcome := _row."outcome";
        refused_balance_e2 := _row."refused_balance_e2";
        movement := _row."movement";
        IF outcome = 'posted' AND _one."type" = 'gift_card' AND movement."holder_key" > 0 THEN
            UPDATE "coupon_redemptions" SET "returned_at" = greatest(movement."created_at", "created_at")
             WHERE "company_id" = _company AND "coupon_id" = _one."related_id" AND "movement_id" = _one."id"
               AND "returned_at" IS NULL
            RETURNING * INTO _use;
            IF FOUND THEN
                UPDATE "coupons" SET "spent_count" = "spent_count" - 1, "spent_amount_e2" = "spent_amount_e2" - _use."amount_e2"
                 WHERE "company_id" = _company AND "id" = _use."coupon_id";
                UPDATE "coupon_codes" SET "used_at" = NULL
                 WHERE "company_id" = _company AND "coupon_id" = _use."coupon_id" AND "code" = _use."code"
                   AND "used_at" IS NOT NULL;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

CREATE TRIGGER coupon_redemptions_returned_once BEFORE UPDATE ON public.coupon_redemptions FOR EACH ROW WHEN (
        CASE
            WHEN (old.returned_at IS NOT NULL) THEN ((old.order_id IS NULL) OR ((to_jsonb(new.*) - 'items'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'items'::text)))
            WHEN (new.returned_at IS NOT NULL) THEN (((old.order_id IS NULL) AND (old.movement_id IS NULL)) OR ((to_jsonb(new.*) - '{returned_at,items}'::text[]) IS DISTINCT FROM (to_jsonb(old.*) - '{returned_at,items}'::text[])))
            WHEN (old.order_id IS NULL) THEN ((old.movement_id IS NOT NULL) OR ((to_jsonb(new.*) - 'movement_id'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'movement_id'::text)))
            ELSE ((new.returned_amount_e2 < old.returned_amount_e2) OR (new.returned_company_amount_e2 < old.returned_company_amount_e2) OR ((new.amount_e2 + new.returned_amount_e2) <> (old.amount_e2 + old.returned_amount_e2)) OR ((new.company_amount_e2 + new.returned_company_amount_e2) <> (old.company_amount_e2 + old.returned_company_amount_e2)) OR ((to_jsonb(new.*) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[]) IS DISTINCT FROM (to_jsonb(old.*) - '{items,delivery_e2,amount_e2,company_amount_e2,returned_amount_e2,returned_company_amount_e2}'::text[])))
        END) EXECUTE FUNCTION refuse_change();
