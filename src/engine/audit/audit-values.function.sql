-- Returns what a new row has, in the form of "audit_changes", which tells the same of it with more effort: nothing is
-- compared, since nothing was there before.
CREATE OR REPLACE FUNCTION "audit_values"(_new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(path, jsonb_build_array(NULL, "audit_value"(value, key = ANY (_hidden))))
      FROM (SELECT key, key AS path, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) NOT IN ('object', 'null')
            UNION ALL
            SELECT c.key, c.key || '.' || part.key, part.value
              FROM jsonb_each(_new) AS c,
                   jsonb_each(CASE jsonb_typeof(c.value) WHEN 'object' THEN c.value ELSE '{}' END) AS part
             WHERE jsonb_typeof(part.value) <> 'null') AS "values"
     WHERE key NOT IN ('company_id', 'updated_at', 'search_words')
$$;
