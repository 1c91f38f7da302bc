-- @reach all: it answers an estimate, and no row.
-- Returns about how many goods a query finds, as the planner expects it. Of a distributed database it expects nothing that is of use:
-- there each query is taken to find few, which is slower for a word that very many goods have.
CREATE OR REPLACE FUNCTION "estimated_goods"(_query tsquery) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    plan json;
BEGIN
    IF public.is_distributed() THEN
        RETURN 0;
    END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.goods WHERE deleted_at IS NULL AND search_words @@ %L::tsquery', _query)
       INTO plan;
    RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;
