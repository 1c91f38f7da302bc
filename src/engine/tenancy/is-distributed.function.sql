-- Returns whether the rows of the database are spread over workers by their companies, as `npm run db:distribute` sets it.
CREATE OR REPLACE FUNCTION "is_distributed"() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT current_setting('citus.enable_unsafe_triggers', true) IS NOT DISTINCT FROM 'on'
$$;
