-- Returns in which of 4,096 blocks the index of goods has a whole name (see "sought_words"): very many goods have one that no
-- other has, and an entry for each of them takes twenty times the room.
CREATE OR REPLACE FUNCTION "whole_block"(_whole text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT left(encode(sha256(convert_to(_whole, 'UTF8')), 'hex'), 3)
$$;
