-- Escapes a text so that LIKE takes it literally.
CREATE OR REPLACE FUNCTION "like_literal"(_text text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT replace(replace(replace(_text, '\', '\\'), '%', '\%'), '_', '\_')
$$;
