-- Returns whether a company has a good that a query finds. For each of several words this is a look of its own: a distributed database
-- pushes no query down that has one within for each word. Planning takes longer than running, so the plan is kept whatever the values are.
CREATE OR REPLACE FUNCTION "has_goods"(_company_id integer, _query tsquery) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM 1 FROM public.goods
      WHERE company_id IS NOT DISTINCT FROM _company_id AND deleted_at IS NULL
        AND public.sought_words(search_words) @@ public.sought_query(_query) AND search_words @@ _query
      LIMIT 1;
    RETURN FOUND;
END
$$;
