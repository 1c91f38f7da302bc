-- Posts a movement that takes another one back, and points to it; of a transfer it takes back both sides. A movement is
-- reversed once.
--
-- Outcomes are those of "post_movements", and: `no_movement`, `is_reversal` (which is not taken back itself).
CREATE OR REPLACE FUNCTION "reverse_movement"(
    _company integer, _id bigint, _description text, _author integer, _identity bytea, _at timestamptz
) RETURNS TABLE (outcome text, refused_balance_e2 bigint, movement "balance_movements") LANGUAGE plpgsql AS $$
DECLARE
    _one "balance_movements";
    _other "balance_movements";
BEGIN
    SELECT * INTO _one FROM "balance_movements" WHERE "company_id" = _company AND "id" = _id;
    outcome := CASE WHEN NOT FOUND THEN 'no_movement' WHEN _one."type" = 'reversal' THEN 'is_reversal' END;
    IF outcome IS NOT NULL THEN
        RETURN NEXT;
        RETURN;
    END IF;
    IF _one."counterpart_id" IS NULL THEN
        RETURN QUERY SELECT * FROM "post_movements"(
            _company, ARRAY[_one."holder_type"], ARRAY[_one."holder_key"], ARRAY[_one."currency_iso"],
            ARRAY[-_one."amount_e2"], ARRAY['reversal'], ARRAY[_one."id"],
            _description, _author, _one."related_type", _one."related_id", _identity, _at);
        RETURN;
    END IF;
    SELECT * INTO STRICT _other FROM "balance_movements" WHERE "company_id" = _company AND "id" = _one."counterpart_id";
    RETURN QUERY SELECT * FROM "post_movements"(
        _company, ARRAY[_one."holder_type", _other."holder_type"], ARRAY[_one."holder_key", _other."holder_key"],
        ARRAY[_one."currency_iso", _other."currency_iso"], ARRAY[-_one."amount_e2", -_other."amount_e2"],
        ARRAY['reversal', 'reversal'], ARRAY[_one."id", _other."id"],
        _description, _author, _one."related_type", _one."related_id", _identity, _at);
END
$$;
