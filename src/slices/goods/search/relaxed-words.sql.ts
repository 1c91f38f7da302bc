import { sql, type Sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { TypedWord, WordFacts } from "./relaxed-words.rules.js";
import { dictionariesArgument, dictionariesOf } from "./search-languages.sql.js";

/** The words of a text as a JSON array of "TypedWord", in their order; empty for a text of one word, of which none can be left out. */
export function typedWords({ company }: CompanyScope, q: string, words: Sql): Sql {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'written', written, 'isStop', EXISTS (
             SELECT FROM unnest(${dictionariesOf(company)}::regdictionary[]) AS dictionary
              WHERE ts_lexize(dictionary, btrim(lower(written), '.,;:!?¿¡()"')) = '{}')) ORDER BY place), '[]')
      FROM unnest(${words}) WITH ORDINALITY AS typed (word, place),
           LATERAL (
               SELECT coalesce((SELECT piece FROM regexp_split_to_table(${q}, '\\s+') AS piece
                                 WHERE folded(piece) = word LIMIT 1), word) AS written OFFSET 0) AS own
     WHERE cardinality(${words}) > 1)`;
}

/** So many goods are expected of a word that some have it, most likely: looking for one of them would take longer than for rare words. */
const MANY = sql.raw("1500");

/**
 * Adds to words whether goods of the company have them or, where they have not, words like them. Of one word alone that no good has, it
 * does not matter whether there are any like it: no other word can be left out before it. For who is bound to shops, only goods that
 * are reached count: neither what is expected of all goods nor the words of all say anything of these; they are read within the
 * statement, which is narrowed to them.
 */
export async function factsOfWords(scope: CompanyScope, words: readonly TypedWord[]): Promise<WordFacts[]> {
  const { companyId, company, isBound } = scope;
  const has = (query: Sql): Sql => sql`
                     EXISTS (SELECT FROM goods
                              WHERE company_id IS NOT DISTINCT FROM ${companyId} AND deleted_at IS NULL
                                AND sought_words(search_words) @@ sought_query(${query}) AND search_words @@ ${query})`;
  const like = sql`like_words(${companyId}::int, word)`;
  const apart = sql`near_queries(${companyId}::int, word${dictionariesArgument(company)})`;
  const rows = await scope.rows<Pick<WordFacts, "isKnown" | "isLike">>(
    sql`
    SELECT "isKnown",
           CASE WHEN "isKnown" OR unknown < 2 THEN false
                ELSE ${
                  isBound
                    ? sql`EXISTS (SELECT FROM (SELECT ${like} AS query UNION ALL SELECT apart FROM ${apart}) AS near WHERE ${has(sql`near.query`)})`
                    : sql`${like} IS NOT NULL
                     OR EXISTS (SELECT FROM ${apart} WHERE apart IS NOT NULL)`
                } END AS "isLike"
      FROM (SELECT word, place, "isKnown", count(*) FILTER (WHERE NOT "isKnown") OVER () AS unknown
              FROM unnest(${words.map(({ word }) => word)}::text[]) WITH ORDINALITY AS typed (word, place),
                   LATERAL (SELECT search_query(${companyId}::int, word, ':', true) AS query OFFSET 0) AS sought,
                   LATERAL (
                       SELECT ${
                         isBound
                           ? has(sql`query`)
                           : sql`CASE WHEN estimated_goods(query, ${companyId}::int) > ${MANY} THEN true
                                   ELSE has_goods(${companyId}::int, query) END`
                       } AS "isKnown" OFFSET 0) AS known
            OFFSET 0) AS typed
     ORDER BY place`,
    { plan: "kept" },
  );
  return rows.map((facts, place) => ({ ...(words[place] as TypedWord), ...facts }));
}
