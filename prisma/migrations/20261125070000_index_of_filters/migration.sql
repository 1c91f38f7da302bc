-- Returns in which of 4,096 blocks the index of goods has a whole name (see "sought_words"): very many goods have one that no
-- other has, and an entry for each of them takes twenty times the room.
CREATE OR REPLACE FUNCTION "whole_block"(_whole text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT left(encode(sha256(convert_to(_whole, 'UTF8')), 'hex'), 3)
$$;

-- Returns of a good's words (see "good_words_of") those that its index has: the words of all texts, and the blocks of what is found
-- as a whole (see "whole_block"). What follows from them is left out, and a query is led to what it follows from (see
-- "sought_query"): words of the name alone, which are among those of all texts; words of letters and digits whose parts the good
-- has as well; and what is one word as a whole.
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT CASE mark WHEN ':' THEN entry ELSE company || '=' || public.whole_block(word) END
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN ':' THEN word !~ '^#.*[^0-9]' OR EXISTS (
                   SELECT FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') AS parts
                    WHERE company || CASE WHEN parts[1] ~ '^[0-9]' THEN ':#' ELSE ':' END || parts[1] <> ALL (entries))
               WHEN '=' THEN company || ':' || word <> ALL (entries) AND company || ':#' || replace(word, '#', '') <> ALL (entries)
               ELSE false END))
      FROM (SELECT tsvector_to_array(_words) AS entries OFFSET 0) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company OFFSET 0) AS owner
$$;

-- Returns one word of a query, behind the company and the mark, as the index of goods is asked for it: what is found as a
-- whole by its block, and as a word, which it may be; a word by itself, and one of letters and digits also by its parts, of which the
-- last one may be a beginning.
CREATE OR REPLACE FUNCTION "sought_term"(_term text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT '(' || concat_ws('|',
               CASE WHEN mark = '=' THEN '''' || company || '=' || public.whole_block(whole) || '''' END,
               '''' || company || ':' || word || '''' || ending,
               CASE WHEN word ~ '^#.*[^0-9]' THEN '(' || (
                   SELECT string_agg('''' || company || CASE WHEN parts[1] ~ '^[0-9]' THEN ':#' ELSE ':' END || parts[1] || '''', '&' ORDER BY place)
                     FROM regexp_matches(substr(word, 2), '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS split (parts, place)) || ending || ')' END) || ')'
      FROM (SELECT said[1] AS company, said[2] AS mark, said[3] AS whole, CASE WHEN _is_prefix THEN ':*' ELSE '' END AS ending,
                   CASE WHEN said[2] <> '=' THEN said[3]
                        ELSE CASE WHEN said[3] ~ '[0-9]' THEN '#' ELSE '' END || replace(said[3], '#', '') END AS word
              FROM regexp_match(_term, '^([0-9]+)([:.=])(.*)$') AS said) AS split
$$;

-- Returns a query of goods' words, without negations, as their index is asked for it (see "sought_words"): it finds all goods of
-- the query, and maybe others.
CREATE OR REPLACE FUNCTION "sought_query"(_query tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(CASE WHEN place % 2 = 0 THEN public.sought_term(piece, starts_with(next, ':*')) ELSE regexp_replace(piece, '^:\*', '') END, '' ORDER BY place)::tsquery
      FROM (SELECT piece, place, lead(piece) OVER (ORDER BY place) AS next
              FROM unnest(string_to_array(_query::text, '''')) WITH ORDINALITY AS split (piece, place)) AS pieces
$$;

-- The index of texts is that of all filters.
ALTER INDEX "admin_types_texts_idx" RENAME TO "admin_types_filters_idx";
ALTER INDEX "branch_categories_texts_idx" RENAME TO "branch_categories_filters_idx";
ALTER INDEX "branch_groups_texts_idx" RENAME TO "branch_groups_filters_idx";
ALTER INDEX "branches_texts_idx" RENAME TO "branches_filters_idx";
ALTER INDEX "campaigns_texts_idx" RENAME TO "campaigns_filters_idx";
ALTER INDEX "categories_texts_idx" RENAME TO "categories_filters_idx";
ALTER INDEX "cities_texts_idx" RENAME TO "cities_filters_idx";
ALTER INDEX "client_addresses_texts_idx" RENAME TO "client_addresses_filters_idx";
ALTER INDEX "company_events_texts_idx" RENAME TO "company_events_filters_idx";
ALTER INDEX "fleets_texts_idx" RENAME TO "fleets_filters_idx";
ALTER INDEX "forms_texts_idx" RENAME TO "forms_filters_idx";
ALTER INDEX "geofences_texts_idx" RENAME TO "geofences_filters_idx";
ALTER INDEX "good_tags_texts_idx" RENAME TO "good_tags_filters_idx";
ALTER INDEX "good_types_texts_idx" RENAME TO "good_types_filters_idx";
ALTER INDEX "materials_texts_idx" RENAME TO "materials_filters_idx";
ALTER INDEX "service_charges_texts_idx" RENAME TO "service_charges_filters_idx";
