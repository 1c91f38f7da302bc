-- Returns the ids of other rows that a row has, by column: they say to which shop it belonged once it is gone or has moved.
CREATE OR REPLACE FUNCTION "audit_place"(_row jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(_row)
     WHERE key LIKE '%\_id' AND key <> 'company_id' AND jsonb_typeof(value) = 'number'
$$;
