-- @reach all: it answers estimates, and no row.
-- Returns about how many goods each of some queries finds (see "estimated_goods"), as far as it matters: where few fit the query that
-- finds the goods of all of them, null is returned for all. One plan has the goods once for all queries, since looking up what
-- there is to know of a table and its indexes takes most of the time of planning; before PostgreSQL 17, which knows nothing of the
-- columns of such goods, each query has its own.
CREATE OR REPLACE FUNCTION "estimated_tiers"(_company_id integer, _queries tsquery[], _all tsquery, _many bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    total bigint := public.estimated_goods(_all, _company_id);
    plan json;
BEGIN
    IF total <= _many THEN
        RETURN NULL;
    ELSIF cardinality(_queries) = 1 THEN
        RETURN ARRAY[total];
    ELSIF public.is_distributed() THEN
        RETURN ARRAY(SELECT public.estimated_goods(query, _company_id) FROM unnest(_queries) WITH ORDINALITY AS each (query, place) ORDER BY place);
    END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) WITH words AS %s (SELECT search_words FROM public.goods WHERE deleted_at IS NULL) %s',
                   CASE WHEN current_setting('server_version_num')::int >= 170000 THEN 'MATERIALIZED' ELSE 'NOT MATERIALIZED' END,
                   (SELECT string_agg(format('SELECT FROM words WHERE search_words @@ %L::tsquery', query), ' UNION ALL ' ORDER BY place)
                      FROM unnest(_queries) WITH ORDINALITY AS each (query, place)))
       INTO plan;
    RETURN ARRAY(SELECT (tier->>'Plan Rows')::bigint
                   FROM json_array_elements(plan->0->'Plan'->'Plans') WITH ORDINALITY AS part (tier, place)
                  WHERE tier->>'Parent Relationship' = 'Member'
                  ORDER BY place);
END
$$;
