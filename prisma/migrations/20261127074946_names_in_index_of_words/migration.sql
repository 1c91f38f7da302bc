DROP ROUTINE estimated_tiers(tsquery[],bigint,bigint);

-- @reach all: it answers estimates, and no row.
-- Returns about how many goods each of some queries finds (see "estimated_goods"), as far as it matters: where few fit the query that
-- finds the goods of all of them, null is returned for all. One plan has the goods once for all queries, since looking up what
-- there is to know of a table and its indexes takes most of the time of planning; before PostgreSQL 17, which knows nothing of the
-- columns of such goods, each query has its own.
CREATE OR REPLACE FUNCTION "estimated_tiers"(_queries tsquery[], _all tsquery, _many bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    total bigint := public.estimated_goods(_all);
    plan json;
BEGIN
    IF total <= _many THEN
        RETURN NULL;
    ELSIF cardinality(_queries) = 1 THEN
        RETURN ARRAY[total];
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

-- Returns a query of goods' words, without negations, as their index is asked for it (see "sought_words"): it finds all goods of
-- the query, and maybe others. Words of any text are asked for among those of names and among the others.
CREATE OR REPLACE FUNCTION "sought_query"(_query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT regexp_replace(asked, '''([0-9]+):([^'']+)''(:\*)?', '(''\1.\2''\3|''\1:\2''\3)', 'g')::tsquery
      FROM (SELECT CASE WHEN _query::text ~ '[#=]' THEN (
                   SELECT string_agg(CASE WHEN place % 2 <> 0 THEN regexp_replace(piece, '^:\*', '')
                                          WHEN piece ~ '[#=]' THEN public.sought_term(piece, starts_with(next, ':*'))
                                          ELSE '''' || piece || '''' || CASE WHEN starts_with(next, ':*') THEN ':*' ELSE '' END END, '' ORDER BY place)
                     FROM (SELECT piece, place, lead(piece) OVER (ORDER BY place) AS next
                             FROM unnest(string_to_array(_query::text, '''')) WITH ORDINALITY AS split (piece, place)) AS pieces)
                   ELSE _query::text END AS asked OFFSET 0) AS terms
$$;

-- Returns one word of a query, behind the company and the mark, by what the index of goods has of it (see "sought_words"): what is found
-- as a whole by its block, and a code as a word, too, which it may be; a word by itself, and one of letters and digits also by its
-- parts, of which the last one may be a beginning.
CREATE OR REPLACE FUNCTION "sought_term"(_term text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               CASE WHEN mark = '=' THEN '''' || company || '=' || public.whole_block(whole) || '''' END,
               CASE WHEN mark <> '=' OR whole ~ '#' THEN '''' || company || place_of || word || '''' || ending END,
               CASE WHEN word ~ '^#.*[^0-9]' THEN '(' || (
                   SELECT string_agg('''' || company || place_of || CASE WHEN parts[1] ~ '^[0-9]' THEN '#' ELSE '' END || parts[1] || '''', '&' ORDER BY place)
                     FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS split (parts, place)) || ending || ')' END) || ')'
      FROM (SELECT said[1] AS company, said[2] AS mark, said[3] AS whole, CASE WHEN _is_prefix THEN ':*' ELSE '' END AS ending,
                   CASE said[2] WHEN '.' THEN '.' ELSE ':' END AS place_of,
                   CASE WHEN said[2] <> '=' THEN said[3]
                        ELSE CASE WHEN said[3] ~ '[0-9]' THEN '#' ELSE '' END || replace(said[3], '#', '') END AS word
              FROM regexp_match(_term, '^([0-9]+)([:.=])(.*)$') AS said) AS split
$$;

-- Returns of a good's words (see "good_words_of") those that its index has: each word of the texts once, that of the name as one of the
-- name, and the blocks of what is found as a whole (see "whole_block"). What follows from them is left out, and a query is led to what
-- it follows from (see "sought_query"): that words of the name are among those of all texts; words of letters and digits whose parts the
-- good has as well, in its name where they are of the name; and a code that is one word as a whole, since few goods have that word,
-- while very many may have one of letters.
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT CASE mark WHEN '=' THEN company || '=' || public.whole_block(word) ELSE entry END
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN '=' THEN word !~ '#' OR company || ':' || word <> ALL (entries) AND company || ':#' || replace(word, '#', '') <> ALL (entries)
               ELSE (mark = '.' OR company || '.' || word <> ALL (entries)) AND (
                   word !~ '^#.*[^0-9]' OR EXISTS (
                       SELECT FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') AS parts
                        WHERE company || mark || CASE WHEN parts[1] ~ '^[0-9]' THEN '#' ELSE '' END || parts[1] <> ALL (entries))) END))
      FROM (SELECT tsvector_to_array(_words) AS entries OFFSET 0) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company OFFSET 0) AS owner
$$;
