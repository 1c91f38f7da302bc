-- Returns the changes of an entry of the audit trail without the values of some columns, and of keys within these: that they changed
-- stays.
CREATE OR REPLACE FUNCTION "audit_without"(_changes jsonb, _columns text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(
               key, CASE WHEN split_part(key, '.', 1) = ANY (_columns) THEN '[null, null]' ELSE value END), '{}')
      FROM jsonb_each(_changes)
$$;
