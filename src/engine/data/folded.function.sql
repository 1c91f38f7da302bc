-- Writes a text in lower case without accents, so that texts are compared without regard to both. It is immutable as
-- long as the rules of "unaccent" are not changed; indexes on it have to be rebuilt when they are.
CREATE OR REPLACE FUNCTION "folded"(_text text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT lower(public.unaccent('public.unaccent', _text))
$$;
