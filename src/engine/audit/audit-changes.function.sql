-- Returns what differs between two states of a row, by column: the value before and the value after. Of columns that hold
-- objects it names the keys that differ, such as "config.limit". Values of hidden columns only show as set or not; of a
-- value that is longer than 10,000 characters as JSON, it has the length and the beginning.
-- Null when nothing differs but the moment and version of the change, and what the database makes of other columns.
CREATE OR REPLACE FUNCTION "audit_changes"(_old jsonb, _new jsonb, _hidden text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    WITH "columns" AS (
        SELECT key AS path, key = ANY (_hidden) AS hidden,
               coalesce(_old -> key, 'null') AS before, coalesce(_new -> key, 'null') AS after
          FROM jsonb_object_keys(_old || _new) AS key
         WHERE key NOT IN ('company_id', 'updated_at', 'version', 'shares_second', 'search_words')
           AND coalesce(_old -> key, 'null') <> coalesce(_new -> key, 'null')
    ), "values" AS (
        SELECT path, hidden, before, after FROM "columns"
         WHERE jsonb_typeof(before) <> 'object' AND jsonb_typeof(after) <> 'object'
        UNION ALL
        SELECT path || '.' || key, hidden, coalesce(before -> key, 'null'), coalesce(after -> key, 'null')
          FROM "columns",
               jsonb_object_keys(
                   CASE jsonb_typeof(before) WHEN 'object' THEN before ELSE '{}' END ||
                   CASE jsonb_typeof(after) WHEN 'object' THEN after ELSE '{}' END) AS key
         WHERE (jsonb_typeof(before) = 'object' OR jsonb_typeof(after) = 'object')
           AND coalesce(before -> key, 'null') <> coalesce(after -> key, 'null')
    )
    SELECT jsonb_object_agg(path, jsonb_build_array("audit_value"(before, hidden), "audit_value"(after, hidden)))
      FROM "values"
$$;
