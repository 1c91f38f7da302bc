-- Returns one word of a query, as "search_query" has it. A word of letters and digits together is also found by its parts, by which
-- alone the index may have it (see "sought_words").
CREATE OR REPLACE FUNCTION "search_term"(_company_id integer, _word text, _mark text, _is_prefix boolean) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN _is_prefix OR _mark <> ':' OR _word !~ '^#.*[^0-9]' THEN term
                ELSE '(' || term || '|(' || (
                    SELECT string_agg('''' || _company_id || _mark || part || '''', '&') FROM unnest(public.search_parts(substr(_word, 2))) AS part
                ) || '))' END
      FROM (SELECT '''' || _company_id || _mark || _word || ''''
                || CASE WHEN _is_prefix AND (_word !~ '^#' OR char_length(_word) > 4) THEN ':*' ELSE '' END AS term) AS plain
$$;

-- Returns of a good's words (see "good_words_of") those by which an index finds it: the words of all texts, and names as a
-- whole. What follows from others is left out: words of the name alone, which are among those of all texts; what is
-- one word as a whole; and words of letters and digits together where their parts are words of the good (see "search_term").
CREATE OR REPLACE FUNCTION "sought_words"(_words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT entry
          FROM unnest(entries) AS entry,
               LATERAL (SELECT substr(entry, char_length(company) + 1, 1) AS mark, substr(entry, char_length(company) + 2) AS word) AS split
         WHERE CASE mark
               WHEN ':' THEN word !~ '^#.*[^0-9]'
                    OR NOT ARRAY(SELECT company || ':' || part FROM unnest(public.search_parts(substr(word, 2))) AS part) <@ entries
               WHEN '=' THEN replace(word, '#', '') <> ALL (ARRAY(
                    SELECT replace(substr(other, char_length(company) + 2), '#', '') FROM unnest(entries) AS other
                     WHERE substr(other, char_length(company) + 1, 1) = ':'))
               ELSE false END))
      FROM (SELECT tsvector_to_array(_words) AS entries) AS good,
           LATERAL (SELECT substring(entries[1] FROM '^[0-9]+') AS company) AS owner
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
