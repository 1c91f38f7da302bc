-- Returns the id by which a login is named to its principal, and in the claim "sid" of its access tokens, as `sessionIdOf` does
-- in Node: the SHA-256 of its family in base64url. Nobody finds the family by it.
CREATE OR REPLACE FUNCTION "session_id"(_family uuid) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT translate(rtrim(encode(sha256(('session:' || _family::text)::bytea), 'base64'), '='), '+/', '-_')
$$;
