-- Returns the regular singulars and plurals of a folded word that the dictionary of a language does not lead to its stem, in the languages
-- of some dictionaries (see "number_forms").
CREATE OR REPLACE FUNCTION "made_forms"(_word text, _dictionaries regdictionary[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(left(_word, -char_length(one)) || other), '{}')
      FROM (VALUES ('us', 'uses', 'english_stem'::regdictionary), ('a', 'as', 'french_stem'), ('i', 'is', 'french_stem'),
                   ('o', 'os', 'french_stem'), ('r', 'rs', 'french_stem'), ('u', 'us', 'french_stem'), ('a', 'as', 'german_stem'),
                   ('ee', 'ees', 'german_stem'), ('i', 'is', 'german_stem'), ('o', 'os', 'german_stem'), ('p', 'ps', 'german_stem'),
                   ('u', 'us', 'german_stem'), ('w', 'ws', 'german_stem'), ('y', 'ys', 'german_stem'), ('a', 'as', 'portuguese_stem'),
                   ('o', 'os', 'portuguese_stem'), ('r', 'res', 'portuguese_stem'), ('u', 'us', 'portuguese_stem'),
                   ('d', 'des', 'spanish_stem'), ('i', 'is', 'spanish_stem'), ('n', 'nes', 'spanish_stem'),
                   ('r', 'res', 'spanish_stem'), ('u', 'us', 'spanish_stem')) AS regular (singular, plural, language),
           LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
     WHERE right(_word, char_length(one)) = one AND language = ANY (_dictionaries)
$$;

-- Returns the forms that a folded word may have in singular and plural, in the languages of some of PostgreSQL's dictionaries: those that
-- one of them leads to the same stem, by the endings that plurals have (so "manzano" is no form of "manzana"), and those whose stems
-- differ: luz and luces, pão and pães, animal and animais, cheval and chevaux, knife and knives.
-- Where none is named, the dictionaries of all languages of Europe's south and west are asked: the own language of a company says too
-- little. It is English where nobody set another, and most shops have goods in several languages. Asking all of them takes 0.05 ms more for a word.
-- One dictionary alone knows fewer forms of its own language: the Spanish one takes "auricular" for a verb and leads "auriculares" to
-- another stem, which others do not. So the regular plurals that a dictionary does not know are made where dictionaries are named (see
-- "made_forms").
-- Italian words (espresso, espressi) are of all languages.
CREATE OR REPLACE FUNCTION "number_forms"(_word text, _dictionaries regdictionary[] DEFAULT '{}') RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    WITH stems AS MATERIALIZED (
        SELECT dictionary, ts_lexize(dictionary, _word) AS stem
          FROM unnest(CASE WHEN cardinality(_dictionaries) > 0 THEN _dictionaries
                           ELSE '{english_stem,french_stem,german_stem,portuguese_stem,spanish_stem}' END) AS dictionary)
    SELECT coalesce(array_agg(DISTINCT form), '{}')
      FROM (SELECT form
              FROM unnest('{s,es,e,n,en,nen,er,ern,x}'::text[]) AS ending,
                   LATERAL (VALUES (_word || ending),
                                   (CASE WHEN right(_word, char_length(ending)) = ending THEN left(_word, -char_length(ending)) END)) AS made (form)
             WHERE EXISTS (SELECT FROM stems WHERE stem <> '{}' AND ts_lexize(dictionary, form) = stem)
             UNION ALL
            SELECT left(_word, -char_length(one)) || other
              FROM (VALUES ('z', 'ces', 'spanish_stem'::regdictionary), ('ao', 'oes', 'portuguese_stem'), ('ao', 'aes', 'portuguese_stem'),
                           ('l', 'is', 'portuguese_stem'), ('m', 'ns', 'portuguese_stem'), ('al', 'aux', 'french_stem'),
                           ('ail', 'aux', 'french_stem'), ('y', 'ies', 'english_stem'), ('f', 'ves', 'english_stem'),
                           ('fe', 'ves', 'english_stem'), ('um', 'en', 'german_stem'), ('us', 'en', 'german_stem'),
                           ('o', 'i', NULL)) AS pair (singular, plural, language),
                   LATERAL (VALUES (singular, plural), (plural, singular)) AS turned (one, other)
             WHERE CASE WHEN right(_word, char_length(one)) = one
                        THEN cardinality(_dictionaries) = 0 OR language IS NULL OR language = ANY (_dictionaries) END
             UNION ALL
            SELECT unnest(public.made_forms(_word, _dictionaries)) WHERE cardinality(_dictionaries) > 0) AS forms
     WHERE char_length(_word) BETWEEN 3 AND 40 AND _word !~ '[^a-z]' AND char_length(form) >= 3 AND form <> _word
$$;
