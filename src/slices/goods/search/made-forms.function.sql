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
