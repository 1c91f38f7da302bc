-- Returns the digits of a word in the order of their values: two codes of the same digits differ by what a slip may change.
CREATE OR REPLACE FUNCTION "digits_of"(_word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(digit, '' ORDER BY digit), '') FROM regexp_split_to_table(regexp_replace(_word, '[^0-9]', '', 'g'), '') AS digit
$$;
