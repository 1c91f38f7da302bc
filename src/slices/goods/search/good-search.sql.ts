import { sql, type Sql } from "../../../core/db/sql.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { dictionariesArgument } from "./search-languages.sql.js";
import type { Alternatives } from "./search-synonyms.rules.js";
import {
  isOfName,
  mayBeCompound,
  MOST_FOUND,
  RANKS_OF_BEGINNINGS,
  RANKS_OF_FAVORITES,
  RANKS_OF_TIER,
  sizePatterns,
  tierNumber,
  type Hit,
} from "./good-search.rules.js";

/** What a search looks for. */
export interface SoughtGoods {
  readonly q: string;
  /** Its words, without case and accents. */
  readonly words: readonly string[];
  /** Those of the words that no good has, not even as a beginning. */
  readonly unknown: readonly string[];
  /** The text in parts that have alternatives, where the company has synonyms of its words. */
  readonly parts: readonly Alternatives[] | null;
  /** The goods among which to look, as a condition on their columns. */
  readonly among: Sql;
  /** The client whose favourites stand before others. */
  readonly clientId: number | null;
}

interface Ranked {
  readonly ids: readonly number[];
  readonly ranks: readonly number[];
  /** Whether there was no room for more. */
  readonly isFull: boolean;
}

/** What is found of other forms of words, and of words like them. */
export interface NearGoods {
  readonly hits: readonly Hit[];
  /** The query for goods that have one part of a compound that no good has (see "findLooseGoods"); `null` where there is none. */
  readonly onePart: string | null;
}

/** A tier of goods that fit alike, by the query that finds them. */
interface Tier {
  readonly tier: number;
  /** A text of the type tsquery. */
  readonly query: string;
  /** Whether all tiers of the text have few goods. */
  readonly isFew: boolean;
  /** Whether very many goods fit, so that the newest of them are found soonest by looking at one good after the other. */
  readonly isFrequent: boolean;
  /**
   * For texts that many goods fit: an id above which there are most likely as many as there is room for, and the blocks of ids above
   * it, which the index of goods has as a key.
   */
  readonly recent: { readonly id: number; readonly blocks: readonly number[] } | null;
}

const LIMIT = sql.raw(String(MOST_FOUND));
/** Of so many goods, reading the newest alone takes less time than reading all. */
const MANY = sql.raw("1500");
/** The index of goods has blocks of ids as a key: the ids of one are alike but for so many bits. */
const BLOCK_BITS = sql.raw("14");
/** The index is asked for each block of ids by itself. A company whose goods lie among very many others has more of them. */
const MOST_BLOCKS = sql.raw("64");
/** So many are looked for there: more than there is room for, since goods are not spread evenly. */
const RECENT = sql.raw(String(1.5 * MOST_FOUND));
/** Of so many goods, looking them up takes longer than finding the newest 500 on the way from the newest good on. */
const FREQUENT = sql.raw("20000");

/**
 * The queries of the tiers, the best first: name or code as a whole, words of the name, words, beginnings of words of the name,
 * beginnings of words.
 */
function tiersOf(scope: CompanyScope, sought: SoughtGoods): Promise<Tier[]> {
  const { companyId } = scope;
  const { q, parts } = sought;
  const queryOf = (isPrefix: boolean): Sql =>
    parts === null
      ? sql`search_query(${companyId}::int, ${q}, ':', ${isPrefix})`
      : queryOfParts(scope, parts, isPrefix);
  const source = sql`(SELECT ${queryOf(false)} AS words, ${queryOf(true)} AS beginnings OFFSET 0) AS text`;
  return expected(
    scope,
    sql`
      ${wholeRow(scope, sought)}
       UNION ALL
      ${pairsFrom(companyId, source, [
        ["wordsOfName", "words", sql`words`],
        ["beginningsOfName", "beginnings", sql`beginnings`],
      ])}`,
  );
}

/** Whether no good has one of the words, so that nothing is found but by the text as a whole and by likeness. */
export function lacksGoods({ parts, unknown }: SoughtGoods): boolean {
  return parts === null && unknown.length > 0;
}

/** The row of the tier of goods of which a text is the whole name or code. */
function wholeRow({ companyId }: CompanyScope, { q }: SoughtGoods): Sql {
  return sql`SELECT ${tier("whole")} AS tier, whole, whole FROM search_whole(${companyId}::int, ${q}) AS whole`;
}

/** The tier of goods of which a text is the whole name or code. */
function wholeAlone(scope: CompanyScope, { q }: SoughtGoods): Promise<Tier[]> {
  return scope.rows<Tier>(
    sql`
    SELECT ${tier("whole")} AS tier, query::text AS query, true AS "isFew", false AS "isFrequent", NULL AS recent
      FROM search_whole(${scope.companyId}::int, ${q}) AS query WHERE query IS NOT NULL`,
    { plan: "kept" },
  );
}

/** The query for goods that have, of each part of a text, one of its alternatives. */
function queryOfParts({ companyId }: CompanyScope, parts: readonly Alternatives[], isPrefix: boolean): Sql {
  const places = parts.flatMap((texts, place) => texts.map(() => place));
  return sql`(
    SELECT string_agg(any_of, '&')::tsquery FROM (
      SELECT '(' || string_agg('(' || search_query(${companyId}::int, words, ':', ${isPrefix})::text || ')', '|') || ')' AS any_of
        FROM unnest(${places}::int[], ${parts.flat()}::text[]) AS part (place, words)
       GROUP BY place) AS parts)`;
}

/**
 * Adds to queries how many goods they find, as PostgreSQL expects (see "estimated_tiers").
 *
 * @param queries are rows of a tier, its query, and one that finds the goods of it and maybe of others; those without a query are left
 * out, and of those without the other one, nothing is expected.
 */
function expected(scope: CompanyScope, queries: Sql): Promise<Tier[]> {
  return scope.rows<Tier>(
    sql`
    WITH tiers (tier, query, wide) AS MATERIALIZED (${queries}),
         counted AS MATERIALIZED (
           SELECT array_agg(tier ORDER BY tier) AS tiers,
                  estimated_tiers(${scope.companyId}::int, array_agg(query ORDER BY tier), string_agg(DISTINCT '(' || wide::text || ')', '|')::tsquery, ${MANY}) AS counts
             FROM tiers WHERE query IS NOT NULL AND wide IS NOT NULL)
    SELECT tier, query::text AS "query", counts IS NULL AS "isFew", coalesce(count, 0) > ${FREQUENT} AS "isFrequent",
           CASE WHEN count BETWEEN ${MANY} AND ${FREQUENT} AND (newest >> ${BLOCK_BITS}) - (above >> ${BLOCK_BITS}) < ${MOST_BLOCKS}
                THEN jsonb_build_object('id', above, 'blocks', ARRAY(SELECT generate_series(above >> ${BLOCK_BITS}, newest >> ${BLOCK_BITS}))) END AS "recent"
      FROM (SELECT tier, query, counts, counts[array_position(tiers.tiers, tier)] AS count FROM tiers AS one, counted AS tiers WHERE query IS NOT NULL) AS each_tier,
           (SELECT min(id) AS oldest, max(id) AS newest FROM goods WHERE company_id = ${scope.companyId}) AS ids,
           LATERAL (SELECT (newest - (newest - oldest) * ${RECENT}::bigint / greatest(count, ${MANY}))::int AS above) AS begin
     ORDER BY tier`,
    { plan: "kept" },
  );
}

type TierName = Parameters<typeof tierNumber>[0];

const tier = (name: TierName): Sql => sql.raw(String(tierNumber(name)));

/** Two tiers of one query: the first for goods that have it in their names, the second for those that have it anywhere. */
type Pair = readonly [ofNames: TierName, anywhere: TierName, query: Sql];

/** The rows of tiers, by the queries that are columns of a source: each of them finds the goods of those before it. */
function pairsFrom(companyId: number, source: Sql, pairs: readonly Pair[]): Sql {
  const wide = pairs.map(([, , query]) => query).reverse();
  const rows = pairs.flatMap(([ofNames, anywhere, query]) => [
    sql`(${tier(ofNames)}, true, ${query})`,
    sql`(${tier(anywhere)}, false, ${query})`,
  ]);
  return sql`
      SELECT tier, CASE WHEN of_names THEN query_of_names(${companyId}::int, query) ELSE query END, coalesce(${sql.join(wide)})
        FROM ${source}, LATERAL (VALUES ${sql.join(rows)}) AS tiers (tier, of_names, query)`;
}

/** Among which goods to look: those that have the sizes of the text, since their words alone do not say so. */
function amongOf({ among, words }: SoughtGoods): Sql {
  const sizes = sizePatterns(words).map(
    (pattern) =>
      sql`folded(concat_ws(' ', name, short_details, sku, array_to_string(keywords, ' '))) ~ ${pattern}`,
  );
  return sql.join([sql`(${among})`, ...sizes], " AND ");
}

const isOf = ({ query }: Pick<Tier, "query">): Sql => sql`search_words @@ ${query}::tsquery`;

/**
 * Finds goods with all words of a text, the best first. A tier is read only as far as those before it leave room, in the
 * order of the ids: so a word that very many goods have costs no more than others. Where no good has one of the words, the text is
 * looked for as a whole alone.
 */
export async function findGoods(scope: CompanyScope, sought: SoughtGoods): Promise<Hit[]> {
  const tiers = lacksGoods(sought) ? await wholeAlone(scope, sought) : await tiersOf(scope, sought);
  return findOf(scope, sought, tiers);
}

/**
 * Finds goods that have other forms of the words of a text, or words like them: singulars and plurals, parts of words, typing errors,
 * both parts of a compound; and where no good has one of the words, those of which the text is the whole name or code. Goods that
 * are found as well as by these are not looked for again.
 */
export async function findNearGoods(
  scope: CompanyScope,
  sought: SoughtGoods,
  found: readonly Hit[],
): Promise<NearGoods> {
  const { companyId, company } = scope;
  const further = dictionariesArgument(company);
  const near = await expected(
    scope,
    sql`
      ${pairsFrom(
        companyId,
        sql`near_queries(${companyId}::int, ${sought.q}${further}) AS near (plural, apart)`,
        [
          ["pluralsOfName", "plurals", sql`plural`],
          ["partsOfName", "parts", sql`apart`],
        ],
      )}
       UNION ALL
      ${pairsFrom(
        companyId,
        sql`(SELECT like_words(${companyId}::int, ${sought.q}) AS words OFFSET 0) AS near`,
        [["alikeInName", "alike", sql`words`]],
      )}${mayBeParted(scope, sought) ? sql` UNION ALL ${looseRows(scope, sought)}` : sql.raw("")}${
        lacksGoods(sought) ? sql` UNION ALL ${wholeRow(scope, sought)}` : sql.raw("")
      }`,
  );
  const better = found.filter(({ rank }) => rank < tierNumber("pluralsOfName") * RANKS_OF_TIER);
  const among = sql`${sought.among} AND id <> ALL (${better.map(({ id }) => id)}::int[])`;
  const parts = near.find((one) => one.tier === tierNumber("onePart"));
  const alike = near.filter((one) => one !== parts);
  return { hits: await findOf(scope, { ...sought, among }, alike), onePart: parts?.query ?? null };
}

/**
 * Whether some word may be a compound that no good has. That a word is known or not, as a whole or in parts, tells of goods of all
 * shops: for who is bound to some of them, no word is parted.
 */
function mayBeParted({ isBound }: CompanyScope, { words }: SoughtGoods): boolean {
  return !isBound && words.some(mayBeCompound);
}

/**
 * Goods with both parts of a compound that no good has, behind those with words like it: a slip may look like another compound. The query
 * for goods that have one of the parts comes along, since both are made of the same words.
 */
function looseRows({ companyId, company }: CompanyScope, { q }: SoughtGoods): Sql {
  return sql`
      SELECT tier, query, wide
        FROM loose_queries(${companyId}::int, ${q}${dictionariesArgument(company)}) AS loose (both_parts, one_part), LATERAL (VALUES
             (${tier("bothPartsInName")}, query_of_names(${companyId}::int, both_parts), both_parts),
             (${tier("bothParts")}, both_parts, both_parts), (${tier("onePart")}, one_part, NULL)) AS tiers (tier, query, wide)`;
}

/** Finds goods that have something of words that no good has, by a query of "findNearGoods": for texts that find nothing otherwise. */
export async function findLooseGoods(
  scope: CompanyScope,
  sought: SoughtGoods,
  onePart: string,
): Promise<Hit[]> {
  const source = sql`(SELECT ${onePart}::tsquery AS one_part OFFSET 0) AS loose`;
  const pair: Pair = ["onePartInName", "onePart", sql`one_part`];
  return findOf(scope, sought, await expected(scope, pairsFrom(scope.companyId, source, [pair])));
}

/** Those of the goods whose sku or one of whose barcodes a text is as a whole. */
export async function goodsOfCode(scope: CompanyScope, q: string, ids: readonly number[]): Promise<number[]> {
  const rows = await scope.rows<{ id: number }>(sql`
    SELECT id FROM goods, LATERAL (SELECT array_to_string(search_parts(folded(${q})), '') AS whole) AS text
     WHERE company_id = ${scope.companyId} AND id = ANY (${[...ids]}::int[])
       AND EXISTS (SELECT FROM unnest(ARRAY[sku] || barcodes[1:100]) AS code
                    WHERE array_to_string(search_parts(folded(code)), '') = text.whole)`);
  return rows.map(({ id }) => id);
}

/**
 * Finds the goods of tiers. The first tier of many goods most likely fills all the room with its recent goods; the others,
 * and those behind it, are read only when it does not.
 */
async function findOf(scope: CompanyScope, sought: SoughtGoods, tiers: readonly Tier[]): Promise<Hit[]> {
  if (tiers.length === 0) return [];
  const many = tiers.findIndex(({ isFrequent, recent }) => isFrequent || recent !== null);
  if (many >= 0) {
    const upTo = { few: tiers.slice(0, many), many: tiers.slice(many, many + 1) };
    const { hits, isFull } = await ranked(scope, sought, upTo);
    if (isFull) return hits;
  }
  if (tiers.every(({ isFew }) => isFew)) return (await ranked(scope, sought, { few: tiers })).hits;
  const whole = tiers.map((tier) => ({ ...tier, recent: null }));
  return (await ranked(scope, sought, { many: whole })).hits;
}

/**
 * The newest goods of a tier. The words name the company already, so the index finds few goods soonest by the words alone: it has
 * the company as a key, too, and reading all goods of that takes ten times as long. So the company is compared in a way that no index
 * knows, and the conditions of the search, which name it, too, are hidden from the planner. The goods that the index finds are looked at
 * once more, and the planner is not to take that for narrower. Where many goods fit, those of the recent blocks alone are read; where
 * very many do, the key is, from its end on. What the index has of a good is not asked for there: to make it of a good that was not
 * found by it takes fifty times as long as to look at its words.
 */
function goodsOf(
  { companyId }: CompanyScope,
  goods: SoughtGoods,
  { tier, query, isFrequent, recent }: Tier,
  { better, length }: { readonly better: readonly Tier[]; readonly length: (tier: number) => Sql },
): Sql {
  const fit = isOf({ query: [`(${query})`, ...better.map((one) => `!(${one.query})`)].join(" & ") });
  const own = sql`company_id = ${companyId}`;
  const isRecent = recent === null ? fit : sql`id > ${recent.id} AND ${fit}`;
  const found = sql`sought_words(search_words) @@ sought_query(${query}::tsquery) AND CASE WHEN ${isRecent} THEN true END`;
  const fits = isFrequent
    ? sql`${own} AND (${fit}) IS TRUE`
    : recent === null
      ? sql`company_id IS NOT DISTINCT FROM ${companyId} AND ${found}`
      : sql`company_id IS NOT DISTINCT FROM ${companyId} AND (id >> ${BLOCK_BITS}) = ANY (${[...recent.blocks]}::int[]) AND ${found}`;
  const shown = isFrequent ? amongOf(goods) : sql`CASE WHEN ${amongOf(goods)} THEN true END`;
  return sql`
    (SELECT id, ${sql.raw(String(tier))} AS tier, ${length(tier)} AS length FROM goods
      WHERE ${fits} AND ${shown}
      ORDER BY id DESC LIMIT ${LIMIT})`;
}

/**
 * The goods of tiers that have few, the newest of each first: all are read at once, by one question to the index. One plan of the
 * statement suits all queries. Goods that have a query in their names are among those that have it anywhere.
 */
function fewGoodsOf(
  { companyId }: CompanyScope,
  goods: SoughtGoods,
  tiers: readonly Pick<Tier, "tier" | "query">[],
  length: (tier: number) => Sql,
): Sql {
  const cases = tiers.map((one) => sql`WHEN ${isOf(one)} THEN ${sql.raw(String(one.tier))}`);
  const isAmongOthers = ({ tier }: Pick<Tier, "tier">) =>
    isOfName(tier) && tiers.some((other) => other.tier === tier + 1);
  const widest = tiers.filter((one) => !isAmongOthers(one));
  const asked = sql`${widest.map(({ query }) => `(${query})`).join(" | ")}::tsquery`;
  return sql`
    (SELECT id, tier, ${length(tiers.at(-1)?.tier ?? 0)} AS length
       FROM (SELECT id, name, CASE ${sql.join(cases, " ")} END AS tier FROM goods
              WHERE company_id IS NOT DISTINCT FROM ${companyId}
                AND sought_words(search_words) @@ (SELECT sought_query(${asked}))
                AND CASE WHEN ${amongOf(goods)} THEN true END
             OFFSET 0) AS few
      WHERE tier IS NOT NULL
      ORDER BY tier, id DESC LIMIT ${LIMIT})`;
}

/**
 * By what goods of a tier are ordered: the length of the name, which counts as longer where it does not begin with a word of the
 * text or a synonym. Another form of a word has its beginning in common with it.
 */
function lengthOf({ words, parts }: SoughtGoods, number: number): Sql {
  const isOther = number >= tierNumber("pluralsOfName");
  const beginnings = (parts?.flat() ?? words).map((word) => {
    const common = isOther ? word.slice(0, Math.max(3, word.length - 3)) : word;
    return `${common.replaceAll(/[\\%_]/gu, "\\$&")}%`;
  });
  return sql`char_length(name) + CASE WHEN folded(name) LIKE ANY (${beginnings}::text[]) THEN 0 ELSE ${sql.raw(String(RANKS_OF_BEGINNINGS))} END`;
}

/** The client's favourites among the goods, which may lie beyond what is read of a tier. */
function favorites(
  { companyId }: CompanyScope,
  sought: SoughtGoods,
  tiers: readonly Pick<Tier, "tier" | "query">[],
  length: (tier: number) => Sql,
): Sql[] {
  const { clientId } = sought;
  if (clientId === null) return [];
  const cases = tiers.map((one) => sql`WHEN ${isOf(one)} THEN ${sql.raw(String(one.tier))}`);
  const any = tiers.map(isOf);
  return [
    sql`
    (SELECT id, CASE ${sql.join(cases, " ")} END AS tier, ${length(tiers.at(-1)?.tier ?? 0)} AS length FROM goods
      WHERE company_id = ${companyId} AND ${amongOf(sought)} AND (${sql.join(any, " OR ")})
        AND id IN (SELECT good_id FROM client_favorites WHERE company_id = ${companyId} AND client_id = ${clientId})
      ORDER BY id DESC LIMIT ${LIMIT})`,
  ];
}

/** Puts goods of the tiers in their order: so many as there is room for, with the client's favourites. */
async function ranked(
  scope: CompanyScope,
  sought: SoughtGoods,
  { few = [], many = [] }: { few?: readonly Tier[]; many?: readonly Tier[] },
): Promise<{ hits: Hit[]; isFull: boolean }> {
  const { clientId } = sought;
  // The newest of very many goods are no choice by their names, and looking at these takes time.
  const isMany = [...few, ...many].some(({ isFrequent, recent }) => isFrequent || recent !== null);
  const length = (tier: number): Sql => (isMany ? sql`char_length(name)` : lengthOf(sought, tier));
  const tiers = [...few, ...many];
  const parts = [
    ...(few.length > 0 ? [fewGoodsOf(scope, sought, few, length)] : []),
    ...many.map((tier, place) =>
      goodsOf(scope, sought, tier, { better: [...few, ...many.slice(0, place)], length }),
    ),
  ];
  const isOther =
    clientId === null
      ? sql`1`
      : sql`(NOT EXISTS (SELECT FROM client_favorites f
          WHERE f.company_id = ${scope.companyId} AND f.client_id = ${clientId} AND f.good_id = hits.id))::int`;
  const [row] = await scope.rows<Ranked>(
    sql`
    SELECT coalesce(array_agg(id ORDER BY rank, id DESC), '{}') AS ids,
           coalesce(array_agg(rank ORDER BY rank, id DESC), '{}') AS ranks,
           coalesce(sum(times), 0) >= ${LIMIT} AS "isFull"
      FROM (SELECT id, count(*) AS times,
                   tier * ${sql.raw(String(RANKS_OF_TIER))} + ${isOther} * ${sql.raw(String(RANKS_OF_FAVORITES))}
                     + least(length, ${sql.raw(String(RANKS_OF_FAVORITES - 1))}) AS rank
              FROM (SELECT * FROM (${sql.join([...favorites(scope, sought, tiers, length), ...parts], " UNION ALL ")}) AS tiers LIMIT ${LIMIT}) AS hits
             GROUP BY id, rank) AS ranked`,
    { plan: many.length > 0 ? "each" : "kept" },
  );
  const { ids, ranks, isFull } = row as Ranked;
  return { hits: ids.map((id, place) => ({ id, rank: ranks[place] as number })), isFull };
}

/** The category and all below it; none when there is no such category. */
export async function categoriesFrom(scope: CompanyScope, categoryId: number): Promise<number[]> {
  const { companyId } = scope;
  const rows = await scope.rows<{ id: number }>(sql`
    WITH RECURSIVE tree AS (
      SELECT id FROM categories WHERE company_id = ${companyId} AND id = ${categoryId}
       UNION
      SELECT c.id FROM tree t JOIN categories c ON c.company_id = ${companyId} AND c.parent_id = t.id
    )
    SELECT id FROM tree`);
  return rows.map(({ id }) => id);
}

/** A branch that sells some of the goods. */
export interface SellingBranch {
  readonly branchId: number;
  readonly distanceInMeters: number | null;
  /** The place of the best good among those found, from 1. */
  readonly best: number;
  readonly goodsCount: number;
  /** The ids of its goods, the best first. */
  readonly goodIds: readonly number[];
}

/** A position on the globe, in millionths of a degree. */
export interface Position {
  readonly latitudeE6: number;
  readonly longitudeE6: number;
}

const GLOBE_METERS = sql.raw("6371008.8");

/**
 * The enabled branches that sell some of the goods: the nearest first, those without coordinates last; without a position,
 * that with the best good first. The globe is a sphere.
 */
export function branchesSelling(
  scope: CompanyScope,
  goodIds: readonly number[],
  position: Position | null,
): Promise<SellingBranch[]> {
  const { companyId } = scope;
  const [latitude, longitude] = [position?.latitudeE6 ?? null, position?.longitudeE6 ?? null];
  return scope.rows<SellingBranch>(sql`
    SELECT b.id AS "branchId", b.distance AS "distanceInMeters", min(h.place)::int AS best,
           count(*)::int AS "goodsCount", (array_agg(h.id ORDER BY h.place))[1:20] AS "goodIds"
      FROM unnest(${[...goodIds]}::int[]) WITH ORDINALITY AS h (id, place)
      JOIN branch_goods bg ON bg.company_id = ${companyId} AND bg.good_id = h.id AND NOT bg.disabled
      JOIN (SELECT company_id, id,
                   CASE WHEN num_nulls(latitude_e6, longitude_e6, ${latitude}::int) = 0 THEN round(2 * ${GLOBE_METERS} * asin(least(1, sqrt(
                     sind((latitude_e6 - ${latitude}::int) / 2e6) ^ 2
                     + cosd(latitude_e6 / 1e6) * cosd(${latitude}::int / 1e6)
                       * sind((longitude_e6 - ${longitude}::int) / 2e6) ^ 2))))::int END AS distance
              FROM branches WHERE company_id = ${companyId} AND enabled) AS b
        ON b.company_id = bg.company_id AND b.id = bg.branch_id
     GROUP BY b.id, b.distance
     ORDER BY b.distance NULLS LAST, best, b.id
     LIMIT ${LIMIT}`);
}
