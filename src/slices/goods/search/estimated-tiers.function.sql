-- @reach all: it answers estimates, and no row.
-- Returns about how many goods each of some queries finds (see "estimated_goods"), as far as it matters: the last query finds the goods
-- of those before it, so where it finds few, null is returned for all of them. Each finds those of the ones before it, but for the
-- first, so where one has very many, so have those behind it; and where one has many, and the last has not very many, those behind it
-- count like the last.
CREATE OR REPLACE FUNCTION "estimated_tiers"(_queries tsquery[], _many bigint, _frequent bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    last bigint := public.estimated_goods(_queries[cardinality(_queries)]);
    most bigint := 0;
    counts bigint[];
    count bigint;
BEGIN
    IF last <= _many THEN
        RETURN NULL;
    END IF;
    FOR place IN 1 .. cardinality(_queries) LOOP
        IF place = cardinality(_queries) OR most > _frequent OR most > _many AND last <= _frequent THEN
            count := last;
        ELSE
            count := public.estimated_goods(_queries[place]);
        END IF;
        most := greatest(most, count);
        counts[place] := count;
    END LOOP;
    RETURN counts;
END
$$;
