-- Returns the words of a folded text as they are written between spaces, without the punctuation inside: "Coca-Cola" as
-- cocacola. A word with digits stands behind "#".
CREATE OR REPLACE FUNCTION "search_wholes"(_folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT CASE WHEN word ~ '[0-9]' THEN '#' ELSE '' END || left(word, 64)
          FROM regexp_split_to_table(
                   regexp_replace(_folded, '[\u0001-\u0008\u000e-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u009f\u00a1-\u00bf\u200b-\u206f\u3001-\u303f]+', '', 'g'),
                   '\s+') AS word
         WHERE word <> '')
$$;
