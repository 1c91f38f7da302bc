-- @reach all: it answers an estimate, and no row.
-- Returns about how many goods a query finds, as the planner expects it.
CREATE OR REPLACE FUNCTION "estimated_goods"(_query tsquery) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.goods WHERE deleted_at IS NULL AND search_words @@ %L::tsquery', _query)
       INTO plan;
    RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;
