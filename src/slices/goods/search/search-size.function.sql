-- Returns a size, such as 5x2,5 or 20x40mm, as a part of a query: goods have it with an x, a × (which is folded to *) or nothing
-- between its sides, with spaces or without, and its unit with it or apart. Null for any other word.
CREATE OR REPLACE FUNCTION "search_size"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               public.search_term(_company_id, '#' || together || unit, _mark, _is_prefix),
               '(' || public.search_term(_company_id, '#' || replace(together, 'x', '') || unit, _mark, _is_prefix) || '&' || parts || ')',
               CASE WHEN unit <> '' THEN
                   '((' || public.search_term(_company_id, '#' || together, _mark, false)
                       || '|(' || public.search_term(_company_id, '#' || replace(together, 'x', ''), _mark, false) || '&' || parts || '))&'
                       || public.search_term(_company_id, letters, _mark, false) || ')' END,
               '(' || apart || CASE WHEN unit <> '' THEN '&' || public.search_term(_company_id, letters, _mark, false) ELSE '' END || ')') || ')'
      FROM (SELECT found[1] AS sides, found[2] AS unit, substring(found[2] FROM '^[a-z]+') AS letters,
                   regexp_replace(found[1], '[.,]', '', 'g') AS together
              FROM regexp_match(_word, '^([0-9][0-9.,]*(?:x[0-9][0-9.,]*)+)((?:[a-z]{1,3}[0-9]?)?)$') AS found) AS size,
           LATERAL (
               SELECT string_agg(public.search_term(_company_id, '#' || part, _mark, false), '&') AS parts
                 FROM regexp_split_to_table(sides, '[^0-9]+') AS part WHERE part <> '') AS of_sides,
           LATERAL (
               SELECT string_agg(CASE WHEN unit = '' OR place < count THEN plain
                                      ELSE '(' || plain || '|' || public.search_term(_company_id, '#' || side || unit, _mark, false) || ')' END, '&') AS apart
                 FROM (SELECT side, place, count(*) OVER () AS count, public.search_term(_company_id, '#' || side, _mark, false) AS plain
                         FROM regexp_split_to_table(together, 'x') WITH ORDINALITY AS split (side, place)) AS each_side) AS of_apart
     WHERE sides IS NOT NULL
$$;
