-- Returns changes that are longer than an entry may be so that they fit into 64,000 bytes as JSON: all values share what
-- the names of the fields leave. Keys of an object that are too many for that stand together, under the name of the
-- column. Values are cut before they become parts of others: to build large JSON into JSON takes seconds.
CREATE OR REPLACE FUNCTION "audit_bounded"(_changes jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    _count integer;
    _names integer;
BEGIN
    SELECT count(*), sum(octet_length(to_jsonb(key)::text) + 10) INTO _count, _names FROM jsonb_object_keys(_changes) AS key;
    IF _names + _count * 400 <= 64000 THEN
        RETURN (SELECT jsonb_object_agg(key, jsonb_build_array(
                           "audit_cut"(value -> 0, (64000 - _names) / (2 * _count)),
                           "audit_cut"(value -> 1, (64000 - _names) / (2 * _count))))
                  FROM jsonb_each(_changes));
    END IF;
    SELECT count(*), sum(octet_length(to_jsonb(name)::text) + 10) INTO _count, _names
      FROM (SELECT DISTINCT split_part(key, '.', 1) AS name FROM jsonb_object_keys(_changes) AS key) AS "columns";
    RETURN (
        SELECT jsonb_object_agg(name, jsonb_build_array(
                   "audit_cut"(before, (64000 - _names) / (2 * _count)), "audit_cut"(after, (64000 - _names) / (2 * _count))))
          FROM (SELECT split_part(key, '.', 1) AS name,
                       CASE WHEN bool_and(strpos(key, '.') = 0) THEN (array_agg(value -> 0))[1]
                            ELSE coalesce(jsonb_object_agg(substr(key, strpos(key, '.') + 1), value -> 0)
                                            FILTER (WHERE value -> 0 <> 'null'), 'null') END AS before,
                       CASE WHEN bool_and(strpos(key, '.') = 0) THEN (array_agg(value -> 1))[1]
                            ELSE coalesce(jsonb_object_agg(substr(key, strpos(key, '.') + 1), value -> 1)
                                            FILTER (WHERE value -> 1 <> 'null'), 'null') END AS after
                  FROM jsonb_each(_changes) GROUP BY 1) AS "columns");
END
$$;
