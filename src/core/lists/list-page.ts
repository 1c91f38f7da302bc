import { DomainError } from "../errors/domain-error.js";
import { compileFilter, type Where } from "./compile-filter.js";
import type { FilterKind } from "./filter-inputs.js";
import type { Connection } from "./connection.js";
import { decodeCursor, encodeCursor } from "./cursor.js";
import { afterPlace, reversed } from "./keyset.js";
import type { ListArguments, ListDefinition, ListField, OrderTerm } from "./list-definition.js";

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 200;
/** Lists that are not paged answer everything up to this many rows (contract §4.2). */
export const MAX_UNPAGED_ROWS = 10_000;

type Row = Readonly<Record<string, unknown>>;

/** The part of a Prisma delegate that a list needs. */
export interface ListDelegate {
  findMany(query: object): Promise<unknown[]>;
  count(query: object): Promise<number>;
}

/** The rows that a list may show, and where they are read. */
export interface ListSource {
  readonly delegate: ListDelegate;
  /** Conditions that hold whatever the caller filters by: the company, the parent. */
  readonly where: Where;
  /**
   * Set when the delegate reads link rows: their relation to the listed rows, and their order, unless the caller
   * orders.
   */
  readonly link?: {
    readonly relation: string;
    readonly order: readonly OrderTerm[];
    readonly kinds: readonly FilterKind[];
  };
  /** Columns that are read, `null` for all; those of the order are added. Not used with a link. */
  readonly select?: Readonly<Record<string, true>> | null;
}

interface Window {
  readonly size: number;
  readonly skip: number;
  readonly backward: boolean;
  readonly cursor: string | null;
}

/**
 * One page of a list. Keyset cursors cost the same at any depth; totals are counted only when selected.
 *
 * @throws DomainError BAD_REQUEST for sizes beyond 200, mixed directions and foreign cursors.
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
  const order = new Ordering(definition, source, termsOf(args));
  const filters = compileFilter(args.filter, definition.fields);
  const hidden: Where = definition.isSoftDeleted && args.withDeleted !== true ? { deletedAt: null } : {};
  const where: Where = {
    ...source.where,
    ...order.onNode(hidden),
    AND: [...[source.where["AND"] ?? []].flat(), ...filters.map((filter) => order.onNode(filter))],
  };
  const terms = page.backward ? reversed(order.terms) : order.terms;
  const place = page.cursor === null ? [] : [order.beyond(terms, page.cursor)];

  const rows = (await source.delegate.findMany({
    where: { ...where, AND: [...(where["AND"] as Where[]), ...place] },
    orderBy: terms.map((term) => order.prismaTerm(term)),
    take: page.size + 1,
    ...(page.skip > 0 && { skip: page.skip }),
    ...(source.link !== undefined && { include: { [source.link.relation]: true } }),
    ...(source.select != null && source.link === undefined && { select: order.selectionOf(source.select) }),
  })) as Row[];

  const hasMore = rows.length > page.size;
  const shown = rows.slice(0, page.size);
  if (page.backward) shown.reverse();
  const others = page.cursor !== null || page.skip > 0;
  return new definition.Connection(
    shown.map((row) => order.nodeOf(row)),
    (index: number) => order.cursorOf(shown[index] as Row),
    page.backward ? { next: others, previous: hasMore } : { next: hasMore, previous: others },
    () => source.delegate.count({ where }),
  );
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

function window(args: ListArguments): Window {
  const { first, after, last, before, offset } = args;
  const backward = last != null || before != null;
  if (backward && (first != null || after != null))
    throw badRequest("Use first and after, or last and before.");
  if (offset != null && (backward || after != null)) throw badRequest("offset goes with first alone.");
  if (offset != null && offset < 0) throw badRequest("offset must be at least 0.");
  const size = (backward ? last : first) ?? DEFAULT_PAGE_SIZE;
  const name = backward ? "last" : "first";
  if (size < 1 || size > MAX_PAGE_SIZE) throw badRequest(`${name} must be between 1 and ${MAX_PAGE_SIZE}.`);
  return { size, skip: offset ?? 0, backward, cursor: (backward ? before : after) ?? null };
}

/** The order of a list: by fields of the listed row or, when nothing was asked, by fields of the link row. */
class Ordering {
  readonly terms: readonly OrderTerm[];
  private readonly ofLink: boolean;

  constructor(
    private readonly definition: ListDefinition,
    private readonly source: ListSource,
    asked: readonly OrderTerm[],
  ) {
    this.ofLink = source.link !== undefined && asked.length === 0;
    this.terms = this.ofLink
      ? (source.link?.order ?? [])
      : withTieBreaker(asked.length > 0 ? asked : definition.defaultOrder);
  }

  selectionOf(select: Readonly<Record<string, true>>): Record<string, true> {
    const selection = { ...select };
    for (const { field } of this.terms) selection[field] = true;
    return selection;
  }

  prismaTerm({ field, direction }: OrderTerm): object {
    return this.nested({ [field]: direction });
  }

  onNode(filter: Where): Where {
    return this.source.link === undefined ? filter : { [this.source.link.relation]: filter };
  }

  nodeOf<T>(row: Row): T {
    return (this.source.link === undefined ? row : row[this.source.link.relation]) as T;
  }

  cursorOf(row: Row): string {
    const values = this.ofLink ? row : this.nodeOf<Row>(row);
    return encodeCursor(
      this.signature(),
      this.terms.map(({ field }) => values[field]),
    );
  }

  beyond(terms: readonly OrderTerm[], cursor: string): Where {
    const values = decodeCursor(cursor, this.signature(), this.fields());
    return this.nested(
      afterPlace(terms, values, (field) => !this.ofLink && this.definition.fields[field]?.nullable === true),
    );
  }

  private nested(condition: Where): Where {
    return this.source.link === undefined || this.ofLink
      ? condition
      : { [this.source.link.relation]: condition };
  }

  private fields(): readonly ListField[] {
    if (this.ofLink) return (this.source.link?.kinds ?? []).map((kind) => ({ kind }));
    return this.terms.map(({ field }) => this.definition.fields[field] as ListField);
  }

  /** Names the list and the order that a cursor belongs to. */
  private signature(): string {
    const terms = this.terms.map(({ field, direction }) => (direction === "asc" ? field : `-${field}`));
    return [this.definition.name, ...terms].join();
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

function badRequest(message: string): DomainError {
  return new DomainError("BAD_REQUEST", message);
}
