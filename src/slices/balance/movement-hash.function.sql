-- Returns the hash of a movement: SHA-256 of the hash before it (of a holder's first movement, of nothing) and of its
-- fields, one in each line, in UTF-8. An absent value is an empty line, a moment its milliseconds since 1970, bytes are
-- hexadecimal. The description is the last: no other field can hold a line break, so no two movements have the same text.
-- The text of a movement that knows what kind of caller caused it begins with the line `v2` and has its request and that kind
-- before the description; movements from before those were kept have neither.
CREATE OR REPLACE FUNCTION "movement_hash"(_previous bytea, _movement "balance_movements") RETURNS bytea
LANGUAGE sql STABLE AS $$
    SELECT sha256(coalesce(_previous, '') || convert_to(concat(
        CASE WHEN _movement."actor_kind" IS NOT NULL THEN E'v2\n' END,
        _movement."company_id", E'\n', _movement."id", E'\n',
        _movement."holder_type", E'\n', _movement."holder_key", E'\n', _movement."currency_iso", E'\n',
        _movement."number", E'\n', _movement."initial_balance_e2", E'\n', _movement."amount_e2", E'\n',
        _movement."final_balance_e2", E'\n', _movement."type", E'\n', _movement."is_deferred"::integer, E'\n',
        _movement."author_id", E'\n', _movement."related_type", E'\n', _movement."related_id", E'\n',
        _movement."transfer_id", E'\n', _movement."counterpart_id", E'\n', _movement."counterpart_final_e2", E'\n',
        _movement."reverses_id", E'\n', encode(_movement."identity", 'hex'), E'\n',
        (extract(epoch FROM _movement."created_at") * 1000)::bigint, E'\n',
        CASE WHEN _movement."actor_kind" IS NOT NULL
             THEN concat(_movement."request_id", E'\n', _movement."actor_kind", E'\n') END,
        _movement."description"), 'UTF8'))
$$;
