-- @reach all: it answers an estimate, and no row.
-- Returns about how many goods a query finds, which names the company of its words, as the planner expects it. Of a distributed database,
-- the planner of the company's worker is asked, for the part of the table where the company's goods are.
-- The last release names no company, and asks no distributed database.
CREATE OR REPLACE FUNCTION "estimated_goods"(_query tsquery, _company_id integer DEFAULT 0) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    goods text := 'public.goods';
    locally text;
    plan json;
BEGIN
    IF public.is_distributed() THEN
        goods := 'public.goods_' || get_shard_id_for_distribution_column('public.goods', _company_id);
        IF to_regclass(goods) IS NULL THEN
            RETURN coalesce((SELECT public.estimated_goods(_query, _company_id) FROM public.companies WHERE id = _company_id), 0);
        END IF;
        locally := current_setting('citus.enable_local_execution');
    END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %s WHERE deleted_at IS NULL AND search_words @@ %L::tsquery', goods, _query)
       INTO plan;
    -- Citus turns this off whenever a plan is asked for, and refuses to read by a connection what the transaction has read without one.
    IF locally IS NOT NULL THEN
        PERFORM set_config('citus.enable_local_execution', locally, true);
    END IF;
    RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;
