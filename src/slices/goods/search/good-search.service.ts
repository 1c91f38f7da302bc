import { createHash } from "node:crypto";
import { sql } from "../../../core/db/sql.js";
import { hasPermission } from "../../../core/access/has-permission.js";
import { DomainError, invalidField } from "../../../core/errors/domain-error.js";
import { MAX_INT } from "../../../core/integers.js";
import { compileFilter, type Where } from "../../../core/lists/compile-filter.js";
import type { Connection, PageInfo } from "../../../core/lists/connection.js";
import { decodeCursor, encodeCursor } from "../../../core/lists/cursor.js";
import type { ListField } from "../../../core/lists/list-definition.js";
import { shownRows, window, type Window } from "../../../core/lists/list-page.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { getBranchGroup } from "../../shops/branch-group.service.js";
import { type Good, goodList } from "../good.model.js";
import type { GoodFacets, GoodFacetsArgs } from "./good-facets.model.js";
import { facetsOf } from "./good-facets.sql.js";
import { GoodSearchConnection, type GoodSearchArgs, type GoodsAtBranch } from "./good-search.model.js";
import {
  FEW_FOUND,
  isDigits,
  matchedOf,
  merged,
  MOST_FOUND,
  RANKS_OF_TIER,
  scoreOf,
  withPlainSizes,
  type Hit,
} from "./good-search.rules.js";
import {
  branchesSelling,
  categoriesFrom,
  findGoods,
  findLooseGoods,
  findNearGoods,
  goodsOfCode,
  lacksGoods,
  type Position,
  type SellingBranch,
  type SoughtGoods,
} from "./good-search.sql.js";
import { typedText, type TypedText } from "./search-synonym.sql.js";
import { factsOfWords } from "./relaxed-words.sql.js";
import { relaxations, type WordFacts } from "./relaxed-words.rules.js";
import { withSynonyms, wordsWithSynonyms } from "./search-synonyms.rules.js";

/** What is looked for, with the words of the text and the synonyms of them. */
type TypedGoods = SoughtGoods & TypedText;

/** A page of the goods found. */
class FoundGoods extends GoodSearchConnection {
  /** The goods of the page as they were found. */
  hits: readonly Hit[] = [];
  override relaxed: readonly string[] = [];

  override get edges() {
    return super.edges.map((edge, place) => {
      const hit = this.hits[place] as Hit;
      return { ...edge, score: scoreOf(hit), matched: matchedOf(hit) };
    });
  }
}

/** A page of the branches that sell goods found. Its cursors are those of the branches. */
class SellingBranches extends GoodSearchConnection {
  override relaxed: readonly string[] = [];

  constructor(
    readonly branches: readonly GoodsAtBranch[],
    private readonly cursor: (index: number) => string,
    private readonly further: { readonly next: boolean; readonly previous: boolean },
    total: number,
  ) {
    super([], cursor, further, () => Promise.resolve(total));
  }

  override get pageInfo(): PageInfo {
    const last = this.branches.length - 1;
    return {
      hasNextPage: this.further.next,
      hasPreviousPage: this.further.previous,
      startCursor: last < 0 ? null : this.cursor(0),
      endCursor: last < 0 ? null : this.cursor(last),
    };
  }
}

/**
 * Refuses callers who may not rank goods by a client's favourites: those who may not list them.
 *
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export async function assertMayRankFor(
  context: OperationContext,
  companyId: number,
  { clientId }: GoodSearchArgs,
): Promise<void> {
  if (clientId == null) return;
  const { caller } = context;
  if (caller.kind === "anonymous" || caller.kind === "invalid")
    throw new DomainError("UNAUTHENTICATED", "Ranking by a client's favourites needs a token.");
  if (caller.kind === "client" && caller.companyId === companyId && caller.id === clientId) return;
  if (await hasPermission(context, companyId, "access_goods")) return;
  throw new DomainError("FORBIDDEN", "A client's favourites are for that client and who may access goods.", {
    lack: { permission: "access_goods" },
  });
}

export async function searchGoodsOfBranchGroup(
  scope: CompanyScope,
  branchGroupId: number,
  args: GoodSearchArgs,
): Promise<Connection<Good>> {
  await getBranchGroup(scope, branchGroupId);
  return searchGoods(scope, args, { branchGroupId });
}

/**
 * A page of the goods that fit the words, the best first; in the mode `branch` of the branches that sell some of them.
 *
 * @param belonging limits the goods among which to look.
 * @throws DomainError BAD_REQUEST, VALIDATION_FAILED.
 */
export async function searchGoods(
  scope: CompanyScope,
  args: GoodSearchArgs,
  belonging: Where = {},
): Promise<Connection<Good>> {
  const list: RankedList = {
    page: pageOf(args),
    limit: Math.min(args.limit ?? MOST_FOUND, MOST_FOUND),
    signature: signatureOf(scope, args, belonging),
  };
  const position = positionOf(args);
  const { hits, relaxed } = await relaxedSearch(scope, await soughtGoods(scope, args, belonging));
  const page =
    args.resultsMode === "branch"
      ? await branchesPage(scope, list, hits, position)
      : await goodsPage(scope, list, hits);
  page.relaxed = relaxed;
  return page;
}

/**
 * How the goods that fit the words are spread over categories, tags and branches.
 *
 * @throws DomainError VALIDATION_FAILED.
 */
export async function searchFacets(scope: CompanyScope, args: GoodFacetsArgs): Promise<GoodFacets> {
  const { hits } = await relaxedSearch(scope, await soughtGoods(scope, args, {}));
  return facetsOf(scope, hits.map(idOf));
}

async function goodsPage(scope: CompanyScope, list: RankedList, hits: readonly Hit[]): Promise<FoundGoods> {
  const keyOf = ({ rank, id }: Hit) => [rank, -id];
  const { rows, more, total } = cut(list, hits, keyOf);
  const goods = await goodsByIds(scope, rows.map(idOf), scope.selected("Good"));
  // A good may be deleted in between.
  const shown = rows.filter(({ id }) => goods.has(id));
  const found = new FoundGoods(
    shown.map(({ id }) => goods.get(id) as Good),
    (index: number) => encodeCursor(list.signature, keyOf(shown[index] as Hit)),
    more,
    () => Promise.resolve(total),
  );
  found.hits = shown;
  return found;
}

async function branchesPage(
  scope: CompanyScope,
  list: RankedList,
  hits: readonly Hit[],
  position: Position | null,
): Promise<SellingBranches> {
  const selling = await branchesSelling(scope, hits.map(idOf), position);
  const { rows, more, total } = cut(list, selling, keyOfBranch);
  const goods = await goodsByIds(scope, [...new Set(rows.flatMap(({ goodIds }) => goodIds))], null);
  const branches = rows.map(({ goodIds, branchId, distanceInMeters, goodsCount }) => ({
    companyId: scope.companyId,
    branchId,
    distanceInMeters,
    goodsCount,
    goods: goodIds.flatMap((id) => goods.get(id) ?? []),
  }));
  const cursorOf = (index: number) => encodeCursor(list.signature, keyOfBranch(rows[index] as SellingBranch));
  // Their relation is read by its id.
  return new SellingBranches(branches as unknown as GoodsAtBranch[], cursorOf, more, total);
}

/** Branches without coordinates stand behind all others. */
function keyOfBranch({ distanceInMeters, best, branchId }: SellingBranch): number[] {
  return [distanceInMeters ?? MAX_INT, best, branchId];
}

function idOf({ id }: Hit): number {
  return id;
}

/** A list that is there as a whole, of which a page is wanted. */
interface RankedList {
  readonly page: Window;
  /** How many rows it has at most. */
  readonly limit: number;
  /** Names the search to which a cursor belongs. */
  readonly signature: string;
}

/** @param keyOf returns what the rows are ordered by, ascending. */
function cut<Row>(
  { page: { size, skip, backward, cursor }, limit, signature }: RankedList,
  all: readonly Row[],
  keyOf: (row: Row) => readonly number[],
) {
  const rows = all.slice(0, limit);
  const ints = Array<ListField>(rows[0] === undefined ? 0 : keyOf(rows[0]).length).fill({ kind: "int" });
  const place =
    cursor === null || rows.length === 0 ? null : (decodeCursor(cursor, signature, ints) as number[]);
  const before = place === null ? null : rows.filter((row) => compareKeys(keyOf(row), place) < 0).length;
  const isRow =
    before !== null &&
    place !== null &&
    rows[before] !== undefined &&
    compareKeys(keyOf(rows[before]), place) === 0;
  const end = backward ? (before ?? rows.length) : rows.length;
  const start = backward ? Math.max(0, end - size) : (before ?? 0) + (isRow ? 1 : 0) + skip;
  const shown = rows.slice(start, backward ? end : start + size);
  const more = { next: start + shown.length < rows.length, previous: start > 0 };
  return { rows: shown, more, total: rows.length };
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place === -1 ? 0 : (one[place] as number) - (other[place] as number);
}

/**
 * Where a code, which has digits, is found whole, only its goods are answered. Other forms of words, and words with typing errors, are looked for
 * only where there are few goods with the words as they are, and never for a text of digits alone, which is most likely a scanned code;
 * a single part of a compound only where nothing is found otherwise.
 */
async function completed(
  scope: CompanyScope,
  sought: SoughtGoods,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const { found, isCode } = await codesAlone(scope, sought, hits);
  if (isCode || hits.length >= FEW_FOUND || isDigits(sought.q)) return found.slice(0, MOST_FOUND);
  const { hits: alike, onePart } = await findNearGoods(scope, sought, hits);
  const near = merged(found, alike).slice(0, MOST_FOUND);
  if (near.length === 0) return onePart === null ? [] : findLooseGoods(scope, sought, onePart);
  return lacksGoods(sought) ? (await codesAlone(scope, sought, near)).found : near;
}

/** Marks the goods of which the text is a code as a whole; of a code, which has digits, returns these alone. */
async function codesAlone(
  scope: CompanyScope,
  sought: SoughtGoods,
  hits: readonly Hit[],
): Promise<{ found: readonly Hit[]; isCode: boolean }> {
  const marked = await markCodes(scope, sought, hits);
  const coded = /\p{Nd}/u.test(sought.q) ? marked.filter(({ isOfCode }) => isOfCode) : [];
  return coded.length > 0 ? { found: coded, isCode: true } : { found: marked, isCode: false };
}

/**
 * Searches without some words where nothing has all of them: without stop words before likeness is asked for, without
 * words that no good has at last. @returns those words, too, as they are written.
 */
async function relaxedSearch(
  scope: CompanyScope,
  { synonyms, typed, ...sought }: TypedGoods,
): Promise<{ hits: readonly Hit[]; relaxed: readonly string[] }> {
  const { words } = sought;
  const stops = typed.filter(({ isStop }) => isStop);
  const others = typed.filter(({ isStop }) => !isStop).map(({ word }) => word);
  const mayLoseStops = stops.length > 0 && others.length > 0;
  // Where no good has one of the words, the text as a whole is looked for together with what is like it.
  const isLikenessNext = lacksGoods(sought) && !mayLoseStops && !isDigits(sought.q);
  const hits = isLikenessNext ? [] : await findGoods(scope, sought);
  if (hits.length > 0 || words.length < 2 || isDigits(sought.q))
    return { hits: await completed(scope, sought, hits), relaxed: [] };
  const without = (kept: readonly string[]): SoughtGoods => ({
    ...sought,
    q: kept.join(" "),
    words: kept,
    unknown: sought.unknown.filter((word) => kept.includes(word)),
    parts: withSynonyms(kept, synonyms),
  });
  if (mayLoseStops) {
    const found = await findGoods(scope, without(others));
    if (found.length > 0)
      return { hits: await completed(scope, without(others), found), relaxed: stops.map(writtenOf) };
  }
  const like = await completed(scope, sought, []);
  if (like.length > 0) return { hits: like, relaxed: [] };
  const firstFound = async (known: readonly WordFacts[]) => {
    for (const kept of relaxations(known, wordsWithSynonyms(words, synonyms))) {
      const less = without(kept.map(({ word }) => word));
      const found = await completed(scope, less, await findGoods(scope, less));
      const relaxed = known.filter((fact) => !kept.includes(fact)).map(writtenOf);
      if (found.length > 0) return { hits: found, relaxed };
    }
    return null;
  };
  // Of one unknown word alone it does not matter whether goods have words like it; words of deleted goods alone are looked up only then.
  const guessed = typed.map((fact) => ({
    ...fact,
    isKnown: !sought.unknown.includes(fact.word),
    isLike: false,
  }));
  const found = sought.unknown.length === 1 ? await firstFound(guessed) : null;
  return found ?? (await firstFound(await factsOfWords(scope, typed))) ?? { hits: [], relaxed: [] };
}

function writtenOf({ written }: { readonly written: string }): string {
  return written;
}

/** Marks the goods found whose sku or barcode the text is as a whole. */
async function markCodes(
  scope: CompanyScope,
  { q }: SoughtGoods,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const whole = hits.filter(({ rank }) => rank < RANKS_OF_TIER);
  if (whole.length === 0) return hits;
  const ids = new Set(await goodsOfCode(scope, q, whole.map(idOf)));
  return ids.size === 0 ? hits : hits.map((hit) => (ids.has(hit.id) ? { ...hit, isOfCode: true } : hit));
}

async function soughtGoods(
  scope: CompanyScope,
  { q, filter, clientId, categoryId }: Pick<GoodSearchArgs, "q" | "filter" | "clientId" | "categoryId">,
  belonging: Where,
): Promise<TypedGoods> {
  const { companyId, db } = scope;
  const source = { delegate: db.good, where: { companyId, ...belonging } };
  const shown = shownRows(goodList, source, compileFilter(filter, goodList.fields), {});
  const among = scope.condition("Good", shown);
  if (clientId != null) await assertClient(scope, clientId);
  // PostgreSQL has no text with this character.
  const text = withPlainSizes(q.normalize("NFC").replaceAll("\0", " "));
  const { words, unknown, synonyms, typed } = await typedText(scope, text);
  return {
    q: text,
    words,
    // That goods of some shop have a word is nothing for who is bound to others.
    unknown: scope.isBound ? [] : unknown,
    synonyms,
    typed,
    parts: withSynonyms(words, synonyms),
    among:
      categoryId == null
        ? among
        : sql`${among} AND id IN (
            SELECT good_id FROM good_categories
             WHERE company_id = ${companyId} AND category_id = ANY (${await categories(scope, categoryId)}::int[]))`,
    clientId: clientId ?? null,
  };
}

async function categories(scope: CompanyScope, categoryId: number): Promise<number[]> {
  const ids = await categoriesFrom(scope, categoryId);
  if (ids.length === 0) throw invalidField("categoryId", "exists", "does not exist");
  return ids;
}

async function assertClient({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const client = await db.client.findFirst({
    where: { companyId, id, deletedAt: null },
    select: { id: true },
  });
  if (client === null) throw invalidField("clientId", "exists", "does not exist");
}

async function goodsByIds(
  { db, companyId }: CompanyScope,
  ids: readonly number[],
  select: Readonly<Record<string, true>> | null,
): Promise<ReadonlyMap<number, Good>> {
  if (ids.length === 0) return new Map();
  const where = { companyId, id: { in: [...ids] }, deletedAt: null };
  const rows = await db.good.findMany({ where, ...(select !== null && { select: { ...select, id: true } }) });
  return new Map((rows as unknown as Good[]).map((good) => [good.id, good]));
}

function positionOf({ latitudeE6, longitudeE6 }: GoodSearchArgs): Position | null {
  if (latitudeE6 != null && longitudeE6 != null) return { latitudeE6, longitudeE6 };
  if (latitudeE6 == null && longitudeE6 == null) return null;
  const field = latitudeE6 == null ? "latitudeE6" : "longitudeE6";
  throw invalidField(field, "required", "is required with the other coordinate");
}

function pageOf(args: GoodSearchArgs): Window {
  if (args.paginate !== false) return window(args);
  return { size: MOST_FOUND, skip: 0, backward: false, cursor: null };
}

function signatureOf({ companyId }: CompanyScope, args: GoodSearchArgs, belonging: Where): string {
  const { q, resultsMode, latitudeE6, longitudeE6, clientId, categoryId, limit } = args;
  const search = [companyId, belonging, q, resultsMode, latitudeE6, longitudeE6, clientId, categoryId, limit];
  return `GoodSearch,${createHash("sha256").update(JSON.stringify(search)).digest("base64url").slice(0, 16)}`;
}
