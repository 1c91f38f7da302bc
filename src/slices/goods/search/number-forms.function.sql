-- Returns the forms that a folded word may have in singular and plural, in the languages of Europe's south and west: those that one
-- of PostgreSQL's dictionaries leads to the same stem, by the endings that plurals have (so "manzano" is no form of
-- "manzana"), and those whose stems differ: luz and luces, pão and pães, animal and animais, cheval and chevaux, knife and knives.
-- The dictionaries of all these languages are asked for every company. Its own language says too little: it is English where nobody set
-- another, and most shops have goods in several languages. One dictionary alone also knows fewer forms of its own language (the
-- Spanish one leads "auriculares" to no stem of "auricular"), and asking all of them takes 0.05 ms more for a word.
CREATE OR REPLACE FUNCTION "number_forms"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH stems AS MATERIALIZED (
        SELECT dictionary, ts_lexize(dictionary, _word) AS stem
          FROM unnest('{english_stem,french_stem,german_stem,portuguese_stem,spanish_stem}'::regdictionary[]) AS dictionary)
    SELECT coalesce(array_agg(DISTINCT form), '{}')
      FROM (SELECT form
              FROM unnest('{s,es,e,n,en,nen,er,ern,x}'::text[]) AS ending,
                   LATERAL (VALUES (_word || ending),
                                   (CASE WHEN right(_word, char_length(ending)) = ending THEN left(_word, -char_length(ending)) END)) AS made (form)
             WHERE EXISTS (SELECT FROM stems WHERE stem <> '{}' AND ts_lexize(dictionary, form) = stem)
             UNION ALL
            SELECT left(_word, -char_length(one)) || other
              FROM (VALUES ('z', 'ces'), ('ao', 'oes'), ('ao', 'aes'), ('l', 'is'), ('m', 'ns'), ('al', 'aux'), ('ail', 'aux'),
                           ('y', 'ies'), ('f', 'ves'), ('fe', 'ves'), ('um', 'en'), ('us', 'en'), ('o', 'i')) AS pair (singular, plural),
                   LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
             WHERE right(_word, char_length(one)) = one) AS forms
     WHERE char_length(_word) BETWEEN 3 AND 40 AND _word !~ '[^a-z]' AND char_length(form) >= 3 AND form <> _word
$$;
