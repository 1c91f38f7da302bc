import { lockByName } from "../../../core/db/lock-by-name.js";
import { sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { TypedWord } from "./relaxed-words.rules.js";
import { typedWords } from "./relaxed-words.sql.js";
import { MOST_WORDS } from "./search-synonyms.rules.js";

/** Lets one call at a time set the company's synonyms, until the transaction ends. */
export function lockSynonyms(scope: Pick<CompanyScope, "db" | "companyId">): Promise<void> {
  return lockByName(scope, `synonyms of ${scope.companyId}`);
}

/** A text without case and accents, in words, with the groups of synonyms that have some of them. */
export interface TypedText {
  readonly words: readonly string[];
  /** Those of the words that no good has, not even as a beginning. */
  readonly unknown: readonly string[];
  readonly groups: readonly (readonly string[])[];
  /** The words with what is known of them without a look at goods; none for a text of one word. */
  readonly typed: readonly TypedWord[];
}

/** Reads what stands between the spaces of a text, and the company's groups of synonyms for it. */
export async function typedText(scope: CompanyScope, q: string): Promise<TypedText> {
  const [row] = await scope.rows<TypedText>(
    sql`
    SELECT words, unknown_words(${scope.companyId}::int, words) AS unknown, coalesce((
             SELECT jsonb_agg(folded_texts(s.texts) ORDER BY s.id) FROM search_synonyms s
              WHERE s.company_id = ${scope.companyId} AND folded_texts(s.texts) && ARRAY(
                SELECT array_to_string(words[start:start + length], ' ')
                  FROM generate_series(1, cardinality(words)) AS start, generate_series(0, ${MOST_WORDS - 1}::int) AS length)),
             '[]') AS groups, ${typedWords(scope, q, sql`words`)} AS typed
      FROM (SELECT search_tokens(folded(${q})) AS words OFFSET 0) AS typed`,
    { plan: "kept" },
  );
  return row as TypedText;
}
