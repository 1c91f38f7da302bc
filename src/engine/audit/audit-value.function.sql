-- Returns a value as the audit trail shows it: a hidden one as asterisks, one that is longer than 10,000 characters as
-- JSON cut, with its length in bytes and its beginning. It is STABLE as to_jsonb is: otherwise PostgreSQL would not put
-- it into the statements that call it, and would call it for each value.
CREATE OR REPLACE FUNCTION "audit_value"(_value jsonb, _hidden boolean) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT CASE
               WHEN _value = 'null' THEN _value
               WHEN _hidden THEN '"********"'
               WHEN length(_value::text) > 10000 THEN jsonb_build_object(
                   'cut', true, 'bytes', octet_length(_value::text), 'start', left(_value #>> '{}', 10000))
               ELSE _value
           END
$$;
