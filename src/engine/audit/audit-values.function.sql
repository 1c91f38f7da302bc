-- Returns what a new row has, in the form of "audit_changes", which returns the same of it with more effort: nothing is
-- compared, since nothing was there before. It is one row, as of a table: PostgreSQL puts such a function into the
-- statement that reads it, and has no call for each row.
CREATE OR REPLACE FUNCTION "audit_values"(_new jsonb, _hidden text[]) RETURNS TABLE ("changes" jsonb)
LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT coalesce(jsonb_object_agg(path, jsonb_build_array(NULL, "audit_value"(value, key = ANY (_hidden)))), '{}')
      FROM (SELECT key, key AS path, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) NOT IN ('object', 'null')
            UNION ALL
            SELECT c.key, c.key || '.' || part.key, part.value
              FROM (SELECT key, value FROM jsonb_each(_new) WHERE jsonb_typeof(value) = 'object') AS c,
                   jsonb_each(CASE jsonb_typeof(c.value) WHEN 'object' THEN c.value ELSE '{}' END) AS part
             WHERE jsonb_typeof(part.value) <> 'null') AS "values"
     WHERE key NOT IN ('company_id', 'updated_at', 'version', 'shares_second', 'search_words')
$$;
