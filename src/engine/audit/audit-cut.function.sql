-- Returns a value of an entry cut to so many bytes as JSON: its length in bytes and its beginning. A value that fits stays as
-- it is, one that has been cut keeps its length.
CREATE OR REPLACE FUNCTION "audit_cut"(_value jsonb, _most integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _is_cut boolean := jsonb_typeof(_value) = 'object' AND _value -> 'cut' = 'true' AND _value ? 'start';
    _start text := CASE WHEN _is_cut THEN _value ->> 'start' ELSE _value #>> '{}' END;
    _bytes bigint := CASE WHEN _is_cut THEN (_value ->> 'bytes')::bigint ELSE octet_length(_value::text) END;
    _cut jsonb;
BEGIN
    IF _value = 'null' OR octet_length(_value::text) <= _most THEN
        RETURN _value;
    END IF;
    -- A character has at most six bytes as JSON: the third length fits whatever it holds.
    FOR _part IN 1 .. 3 LOOP
        _cut := jsonb_build_object('cut', true, 'bytes', _bytes,
                                   'start', left(_start, greatest(_most - 60, 0) / (ARRAY[1, 2, 6])[_part]));
        EXIT WHEN octet_length(_cut::text) <= _most;
    END LOOP;
    RETURN _cut;
END
$$;
