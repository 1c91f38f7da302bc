-- Posts a movement and returns it. It gets the holder's next number and starts from the balance that the movement before
-- it left. Nothing is posted or returned when the balance would leave 53 bits, which is all that answers can show.
CREATE OR REPLACE FUNCTION "post_movement"(
    _company integer, _holder_type text, _holder_key integer, _currency text, _amount bigint, _type text,
    _description text, _author integer, _related_type text, _related_id bigint, _at timestamptz
) RETURNS SETOF "balance_movements" LANGUAGE sql AS $$
    WITH "holder" AS (
        INSERT INTO "balance_holders" AS h ("company_id", "type", "key", "currency_iso", "balance_e2", "movement_count")
        VALUES (_company, _holder_type, _holder_key, _currency, _amount, 1)
        ON CONFLICT ("company_id", "type", "key", "currency_iso") DO UPDATE
            SET "balance_e2" = h."balance_e2" + EXCLUDED."balance_e2", "movement_count" = h."movement_count" + 1
            WHERE h."balance_e2" + EXCLUDED."balance_e2" BETWEEN -9007199254740991 AND 9007199254740991
        RETURNING h."balance_e2", h."movement_count"
    )
    INSERT INTO "balance_movements"
        ("company_id", "holder_type", "holder_key", "currency_iso", "number", "initial_balance_e2", "amount_e2",
         "final_balance_e2", "type", "description", "author_id", "related_type", "related_id", "created_at")
    SELECT _company, _holder_type, _holder_key, _currency, "movement_count", "balance_e2" - _amount, _amount,
           "balance_e2", _type, _description, _author, _related_type, _related_id, _at
      FROM "holder"
    RETURNING *
$$;
