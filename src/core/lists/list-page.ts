import { compileFilter, type Rewrites, type Where } from "./compile-filter.js";
import type { FilterKind } from "./filter-inputs.js";
import type { Connection } from "./connection.js";
import { decodeCursor, encodeCursor, nameOfRows } from "./cursor.js";
import { afterPlace, reversed } from "./keyset.js";
import { countWithin, estimatedWithin, knownRows } from "./known-rows.js";
import type { ListArguments, ListDefinition, ListField, OrderTerm } from "./list-definition.js";
import type { ModelName } from "../scope/tenant-models.js";
import { RowsOf } from "./rows-of.js";

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 200;
/** Lists that are not paged answer everything up to this many rows (contract §4.2). */
export const MAX_UNPAGED_ROWS = 10_000;

type Row = Readonly<Record<string, unknown>>;

/** The part of a client's delegate that a list needs. */
export interface ListDelegate {
  findMany(query: object): Promise<unknown[]>;
  count(query: object): Promise<number>;
}

/** The rows that a list may show, and where they are read. */
export interface ListSource {
  readonly delegate: ListDelegate;
  /** Conditions that hold whatever the caller filters by: the company, the parent. */
  readonly where: Where;
  /** Set when the listed rows are linked to another one, in an order that holds unless the caller orders. */
  readonly link?: ListLink;
  /** Columns that are read, `null` for all; those of the order are added. */
  readonly select?: Readonly<Record<string, true>> | null;
  /** For fields that are no plain column. */
  readonly rewrites?: Rewrites;
  /**
   * Reads the greatest id that the list has when its first page is read, for a list whose ids ascend as its rows are added and
   * whose rows never change: later pages have it in their cursors and show none beyond it, so that all are of one moment.
   */
  readonly lastId?: () => Promise<bigint>;
}

export interface ListLink {
  readonly delegate: Pick<ListDelegate, "findMany">;
  /** The rows that link: their model, the field with the id of a listed row, and which of them. */
  readonly rows: RowsOf;
  readonly order: readonly OrderTerm[];
  readonly kinds: readonly FilterKind[];
  /** Whether every row of the list has one: then the link orders the rows and leaves none out. */
  readonly isOfAll?: boolean;
}

/** Which rows of a list a page shows. */
export interface Window {
  readonly size: number;
  readonly skip: number;
  readonly backward: boolean;
  readonly cursor: string | null;
}

/**
 * One page of a list. Keyset cursors cost the same at any depth; totals are counted only when selected,
 * and when the page does not show all rows.
 *
 * @param args have been checked by `listErrors`.
 * @throws DomainError BAD_REQUEST for a cursor of another list, filter or order.
 */
export async function listPage<T extends object>(
  definition: ListDefinition<T>,
  source: ListSource,
  args: ListArguments,
): Promise<Connection<T>> {
  return readPage(definition, source, args, window(args));
}

async function readPage<T extends object>(
  definition: ListDefinition<T>,
  source: ListSource,
  args: ListArguments,
  page: Window,
): Promise<Connection<T>> {
  const order = new Ordering(definition, source, args);
  const filters = compileFilter(args.filter, definition.fields, source.rewrites);
  const terms = page.backward ? reversed(order.terms) : order.terms;
  const values = page.cursor === null ? null : order.read(page.cursor, page.backward ? "before" : "after");
  const place = values === null ? [] : [order.beyond(terms, values)];
  const lastId = source.lastId && ((values?.at(-1) as bigint | undefined) ?? (await source.lastId()));
  const bounds = lastId === undefined ? [] : [{ id: { lte: lastId } }];
  const where = shownRows(definition, source, [...filters, ...bounds], args);

  const reader = order.isOfLink
    ? linkedRows(definition.name as ModelName, source, where)
    : listedRows(source, order, where);
  const { nodes, places } = await reader(place, {
    orderBy: terms.map(({ field, direction }) => ({ [field]: direction })),
    take: page.size + 1,
    ...(page.skip > 0 && { skip: page.skip }),
    ...(definition.fields[terms[0]?.field ?? ""]?.isRare === true &&
      !order.isOfLink && { rare: terms[0]?.field }),
    ...planOf(definition, filters, page),
  });

  const hasMore = nodes.length > page.size;
  const shown = shownOf(nodes, page);
  const shownPlaces = places === nodes ? shown : shownOf(places, page);
  const others = page.cursor !== null || page.skip > 0;
  const known = knownRows(page, shown.length, hasMore);
  return new definition.Connection(
    shown,
    (index: number) => order.cursorOf(shownPlaces[index] as Row, lastId),
    page.backward ? { next: others, previous: hasMore } : { next: hasMore, previous: others },
    (isEstimated: boolean) =>
      isEstimated
        ? estimatedWithin(known, () => source.delegate.count({ where, isEstimated }))
        : countWithin(known, () => source.delegate.count({ where })),
  );
}

/**
 * One plan suits the pages of a list, however deep they are. A caller's values differ in how many rows they leave, so that
 * one plan does not suit them all, and an offset in how many rows are passed over.
 */
function planOf(
  { filterKeys }: ListDefinition,
  filters: readonly Where[],
  { skip }: Window,
): { plan?: "each" | "kept"; keys?: readonly string[] } {
  if (filters.length > 0) return { plan: "each", keys: filterKeys };
  return skip > 0 ? {} : { plan: "kept" };
}

/** Returns the rows of the page in the list's order, without the one that shows that there are more. */
function shownOf(rows: readonly Row[], { size, backward }: Window): Row[] {
  const shown = rows.slice(0, size);
  return backward ? shown.reverse() : shown;
}

/** Returns the condition for the rows of a list, whatever the page. */
export function shownRows(
  definition: ListDefinition,
  { where, link }: ListSource,
  filters: readonly Where[],
  { withDeleted }: ListArguments,
): Where {
  const linked = link === undefined || link.isOfAll === true ? [] : [{ id: { in: link.rows } }];
  return {
    ...where,
    ...(definition.isSoftDeleted && withDeleted !== true && { deletedAt: null }),
    AND: [...[where["AND"] ?? []].flat(), ...linked, ...filters],
  };
}

/** The rows of the list, and for each of them the row that has the fields of its order. */
interface PlacedRows {
  readonly nodes: readonly Row[];
  readonly places: readonly Row[];
}

type ReadRows = (place: readonly Where[], query: object) => Promise<PlacedRows>;

function listedRows({ delegate, select }: ListSource, order: Ordering, where: Where): ReadRows {
  return async (place, query) => {
    const columns = select == null ? {} : { select: order.selectionOf(select) };
    const bounded = { ...where, AND: [...(where["AND"] as Where[]), ...place] };
    const rows = (await delegate.findMany({ where: bounded, ...query, ...columns })) as Row[];
    return { nodes: rows, places: rows };
  };
}

/** Reads the rows that link, in their own order, and then the rows that they lead to. */
function linkedRows(model: ModelName, { delegate, select, link }: ListSource, where: Where): ReadRows {
  const {
    delegate: linkDelegate,
    rows: { field, where: links },
  } = link as ListLink;
  return async (place, query) => {
    const wanted = new RowsOf(model, "id", { ...where, companyId: links.companyId });
    const linked = (await linkDelegate.findMany({
      where: { ...links, [field]: { in: wanted }, AND: place },
      ...query,
    })) as Row[];
    const ids = linked.map((row) => row[field]);
    const columns = select == null ? {} : { select: { ...select, id: true } };
    const rows = (await delegate.findMany({
      where: { companyId: links.companyId, id: { in: ids } },
      ...columns,
    })) as Row[];
    const byId = new Map(rows.map((row) => [row["id"], row]));
    const places = linked.filter((row) => byId.has(row[field]));
    return { nodes: places.map((row) => byId.get(row[field]) as Row), places };
  };
}

/** At most 10,000 rows of a list without pagination, in the list's own order. */
export async function listAll<T extends object>(
  definition: ListDefinition<T>,
  source: ListSource,
  args: Pick<ListArguments, "withDeleted" | "offset"> = {},
): Promise<readonly T[]> {
  const all: Window = { size: MAX_UNPAGED_ROWS, skip: args.offset ?? 0, backward: false, cursor: null };
  const page = await readPage(definition, source, args, all);
  return page.nodes;
}

/** Reads which page is wanted, of arguments that `listErrors` has checked. */
export function window({ first, after, last, before, offset }: ListArguments): Window {
  const backward = last != null || before != null;
  return {
    size: (backward ? last : first) ?? DEFAULT_PAGE_SIZE,
    skip: offset ?? 0,
    backward,
    cursor: (backward ? before : after) ?? null,
  };
}

/** Stands behind the fields of the order in cursors of a list that ends with the first page. */
const LAST_ID: ListField = { kind: "safeInt" };

type Selection = Readonly<Record<string, true>>;

/** Selections with the columns of an order, by the selection and the fields of the order. */
const ordered = new WeakMap<Selection, Map<string, Selection>>();
/** So many orders of one document are remembered. */
const MOST_ORDERS = 8;

/** The order of a list: by fields of the listed row or, when nothing was asked, by fields of the row that links. */
class Ordering {
  readonly terms: readonly OrderTerm[];
  readonly isOfLink: boolean;
  private readonly link: ListLink | undefined;
  private named: string | undefined;

  constructor(
    private readonly definition: ListDefinition,
    private readonly source: ListSource,
    private readonly args: ListArguments,
  ) {
    const { link } = source;
    const asked = termsOf(args);
    this.link = link;
    this.isOfLink = link !== undefined && asked.length === 0;
    this.terms = this.isOfLink
      ? (link?.order ?? [])
      : withTieBreaker(asked.length > 0 ? asked : definition.defaultOrder);
  }

  /** Adds the columns of the order. For a selection that never changes, such as that of a document, it is done once. */
  selectionOf(select: Selection): Selection {
    if (this.terms.every(({ field }) => select[field] === true)) return select;
    const key = this.terms.map(({ field }) => field).join();
    const known = ordered.get(select);
    const before = known?.get(key);
    if (before !== undefined) return before;
    const selection: Record<string, true> = { ...select };
    for (const { field } of this.terms) selection[field] = true;
    if (!Object.isFrozen(select)) return selection;
    Object.freeze(selection);
    if (known === undefined) ordered.set(select, new Map([[key, selection]]));
    else if (known.size < MOST_ORDERS) known.set(key, selection);
    return selection;
  }

  /** @param place has the fields of the order. */
  cursorOf(place: Row, lastId: bigint | undefined): string {
    const values = this.terms.map(({ field }) => place[field]);
    return encodeCursor(this.signature, lastId === undefined ? values : [...values, lastId]);
  }

  /** @param argument names the argument with the cursor. */
  read(cursor: string, argument: "after" | "before"): unknown[] {
    const fields = this.fields();
    const all = this.source.lastId === undefined ? fields : [...fields, LAST_ID];
    return decodeCursor(cursor, this.signature, all, argument);
  }

  beyond(terms: readonly OrderTerm[], values: readonly unknown[]): Where {
    return afterPlace(
      terms,
      values,
      (field) => !this.isOfLink && this.definition.fields[field]?.nullable === true,
    );
  }

  private fields(): readonly ListField[] {
    if (this.isOfLink) return (this.link?.kinds ?? []).map((kind) => ({ kind }));
    return this.terms.map(({ field }) => this.definition.fields[field] as ListField);
  }

  /** Names the list and the order that a cursor belongs to. */
  private get signature(): string {
    return (this.named ??= this.name());
  }

  private name(): string {
    const { where, link } = this.source;
    const { companyId, ...parent } = where;
    const company = typeof companyId === "number" ? companyId : "";
    const terms = this.terms.map(({ field, direction }) => (direction === "asc" ? field : `-${field}`));
    const rows = nameOfRows(link === undefined ? parent : { ...parent, link: link.rows }, this.args.filter);
    return [this.definition.name, company, rows, ...terms].join();
  }
}

function termsOf({ orderBy }: ListArguments): OrderTerm[] {
  return (orderBy ?? []).map(({ field, direction }) => ({ field, direction: direction ?? "asc" }));
}

function withTieBreaker(order: readonly OrderTerm[]): OrderTerm[] {
  const seen = new Set<string>();
  const terms = order.filter(({ field }) => !seen.has(field) && seen.add(field));
  const last = terms[terms.length - 1];
  return seen.has("id") || last === undefined
    ? terms
    : [...terms, { field: "id", direction: last.direction }];
}
