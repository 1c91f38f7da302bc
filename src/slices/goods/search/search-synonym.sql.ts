import { lockByName } from "../../../core/db/lock-by-name.js";
import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { TypedWord } from "./relaxed-words.rules.js";
import { typedWords } from "./relaxed-words.sql.js";
import type { Synonyms } from "./search-synonyms.rules.js";

/** Lets one call at a time set the company's synonyms, until the transaction ends. */
export function lockSynonyms(scope: Pick<CompanyScope, "db" | "companyId">): Promise<void> {
  return lockByName(scope, `synonyms of ${scope.companyId}`);
}

/** A text without case and accents, in words, with the groups of synonyms that have some of them. */
export interface TypedText {
  readonly words: readonly string[];
  /** Those of the words that no good has, not even as a beginning. */
  readonly unknown: readonly string[];
  readonly synonyms: Synonyms;
  /** The words with what is known of them without a look at goods; none for a text of one word. */
  readonly typed: readonly TypedWord[];
}

interface TypedRow extends Omit<TypedText, "synonyms"> {
  /** The words as goods are found by them. */
  readonly phrases: readonly string[];
  readonly groups: Synonyms["groups"];
}

/** Reads what stands between the spaces of a text, and the company's groups of synonyms for it. */
export async function typedText(scope: CompanyScope, q: string): Promise<TypedText> {
  const [row] = await scope.rows<TypedRow>(
    sql`
    SELECT words, phrases, unknown_words(${scope.companyId}::int, words) AS unknown, coalesce((
             SELECT jsonb_agg(jsonb_build_object('texts', folded_texts(s.texts), 'phrases', search_phrases(s.texts)) ORDER BY s.id)
               FROM search_synonyms s
              WHERE s.company_id = ${scope.companyId} AND search_phrases(s.texts) && ARRAY(
                SELECT array_to_string(array_remove(phrases[start:last], ''), ' ')
                  FROM generate_series(1, cardinality(phrases)) AS start, generate_series(start, cardinality(phrases)) AS last)),
             '[]') AS groups, ${typedWords(scope, q, sql`words`)} AS typed
      FROM (SELECT words, search_phrases(words) AS phrases FROM (SELECT search_tokens(folded(${q})) AS words OFFSET 0) AS text OFFSET 0) AS typed`,
    { plan: "kept" },
  );
  const { phrases, groups, ...text } = row as TypedRow;
  const phraseOf = new Map(text.words.map((word, place) => [word, phrases[place] as string]));
  return { ...text, synonyms: { groups, phraseOf } };
}
