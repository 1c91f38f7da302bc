import { Extensions, Field, InputType, ArgsType, Int, registerEnumType, type ClassType } from "type-graphql";
import type { Area } from "../access/permissions.js";
import { CHECKED_LIST, DELETED_ROWS_OF } from "../operations/operation-arguments.js";
import { isModel, isSoftDeleted, type ModelName } from "../scope/tenant-models.js";
import type { Enum } from "../enums.js";
import { filterKeys } from "./filter-keys.js";
import { COMPARISONS, enumComparison, type FilterKind } from "./filter-inputs.js";
import { connectionOf, type Connection } from "./connection.js";

/** A filter as callers write it: conditions by fields, and the filters within. */
export type Filter = Readonly<Record<string, unknown>>;

/** A stored field that lists can be filtered and ordered by. */
export interface ListField {
  readonly kind: FilterKind;
  /** The enum of a field of the kind `enum`. */
  readonly enum?: Enum<string>;
  readonly nullable?: boolean;
  /** `true` for a field that few rows have: an index of the sources has those alone, and lists that it orders show the others apart. */
  readonly isRare?: boolean;
  /** `true` for a text that is compared without regard to case, such as a promo code. */
  readonly ignoresCase?: boolean;
  /** `false` when lists can be filtered but not ordered by the field. */
  readonly sortable?: boolean;
  /** `true` when rows can be counted by the field's values, as they can by those of enums and booleans. */
  readonly countable?: boolean;
  /** `false` when lists can be ordered but not filtered by the field. */
  readonly filterable?: boolean;
  /** What the description of its condition says besides. */
  readonly note?: string;
  /** What the rows are asked for, when the field is no column: lists are then only filtered by it. */
  readonly derived?: Derived;
  /** What the field is in words, when lists that it orders can have no other field in their order. */
  readonly ordersAlone?: string;
  /** How lists are ordered by the field, where that is not by its exact value: under a name that says so. */
  readonly order?: {
    readonly name: string;
    readonly note: string;
    /** Why the name of the field itself is one of its former names, with its days (`deprecationOf`). */
    readonly former?: string;
  };
}

/**
 * What rows are asked for by a field that is no column: the values that `field` has in the rows of another model whose `key`
 * names them (kind `ids`); a bit of a mask, or whether a list has anything (kind `boolean`).
 */
export type Derived =
  | { readonly of: ModelName; readonly key: string; readonly field: string; readonly where?: Filter }
  | { readonly mask: string; readonly bits: number }
  | { readonly filled: string };

export interface OrderTerm {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/** A term of an order as callers write it; ascending unless `direction` is given. */
export interface OrderInput {
  readonly field: string;
  readonly direction?: "asc" | "desc" | null;
}

/** Arguments that every list takes (contract §5.2). */
export interface ListArguments {
  filter?: Filter | null;
  orderBy?: OrderInput[] | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
  withDeleted?: boolean | null;
}

/** Arguments of the counts by a field. */
export interface CountArguments {
  by: string;
  filter?: Filter | null;
}

/** A list as its arguments are checked (`listErrors`). */
export interface CheckedList {
  readonly fields: Readonly<Record<string, ListField | undefined>>;
  /** The names by which callers order, with their fields. */
  readonly orders?: Readonly<Record<string, string>>;
  /** The first word of the list's cursors. */
  readonly cursors?: string;
  /** Whether the arguments of the page mean something beside the others. */
  readonly isPaged?: (args: Readonly<Record<string, unknown>>) => boolean;
}

/** How a resource is listed: its GraphQL arguments and connection, derived from its declared fields. */
export interface ListDefinition<T extends object = object> {
  /** The resource's name. */
  readonly name: string;
  readonly fields: Readonly<Record<string, ListField>>;
  readonly defaultOrder: readonly OrderTerm[];
  /** The fields that are keys of the index of the list's filters. */
  readonly filterKeys: readonly string[];
  /** Whether deleted rows are left out unless `withDeleted` asks for them. */
  readonly isSoftDeleted: boolean;
  /** Whether callers may ask for deleted rows by `withDeleted`. */
  readonly asksForDeleted: boolean;
  /** The input by which callers filter. */
  readonly Filter: () => ClassType;
  readonly Args: new () => ListArguments;
  /** `null` when no field can be counted by. */
  readonly CountArgs: (new () => CountArguments) | null;
  readonly Connection: ClassType<Connection<T>>;
}

enum OrderDirection {
  ASC = "asc",
  DESC = "desc",
}
registerEnumType(OrderDirection, { name: "OrderDirection", description: "Ascending or descending." });

const NEWEST_FIRST: readonly OrderTerm[] = [{ field: "id", direction: "desc" }];

/**
 * Declares the lists of a resource.
 *
 * @param fields the fields to filter and order by, each backed by an index; `id` is always one of them.
 * @param name the GraphQL name; when a model of that name is deleted softly, its lists leave deleted rows out.
 * @param options.deletedRowsOf adds `withDeleted`, for admins who may see or edit the area.
 * @param options.deletedRows says what that adds: deleted rows when absent.
 */
export function defineList<T extends object>(
  node: ClassType<T>,
  name: string,
  fields: Readonly<Record<string, ListField>>,
  options: { defaultOrder?: readonly OrderTerm[]; deletedRowsOf?: Area; deletedRows?: string } = {},
): ListDefinition<T> {
  const all = { id: { kind: "int" } as ListField, ...fields };
  const filter = filterInput(name, all);
  const order = orderInput(name, all);
  const list = { fields: all, orders: sortable(all), cursors: name };
  const args = listArgs(name, filter, order, { ...options, list });
  return {
    name,
    fields: all,
    defaultOrder: options.defaultOrder ?? NEWEST_FIRST,
    filterKeys: isModel(name) ? filterKeys(name, all) : [],
    isSoftDeleted: isModel(name) && isSoftDeleted(name),
    asksForDeleted: options.deletedRowsOf !== undefined,
    Filter: filter,
    Args: args,
    CountArgs: countArgs(name, all, filter),
    Connection: connectionOf(node, name),
  };
}

function filterInput(name: string, fields: Readonly<Record<string, ListField>>): () => ClassType {
  class RowFilter {}
  InputType(`${name}FilterInput`, { description: `Which ${name} rows to list; all conditions must hold.` })(
    RowFilter,
  );
  for (const [field, declared] of Object.entries(fields)) {
    if (declared.filterable === false) continue;
    const comparison = comparisonOf(declared);
    const { note } = declared;
    const description = `Condition on \`${field}\`.${note === undefined ? "" : ` ${note}`}`;
    Field(() => comparison, { nullable: true, description })(RowFilter.prototype, field);
  }
  Field(() => [RowFilter], { nullable: true, description: "Filters of which at least one must fit." })(
    RowFilter.prototype,
    "or",
  );
  Field(() => RowFilter, { nullable: true, description: "A filter that must not fit." })(
    RowFilter.prototype,
    "not",
  );
  return () => RowFilter;
}

function comparisonOf({ kind, enum: declared }: ListField): new () => object {
  return kind === "enum" ? enumComparison(declared as Enum<string>) : COMPARISONS[kind];
}

function orderInput(name: string, fields: Readonly<Record<string, ListField>>): () => ClassType {
  const values = sortable(fields);
  registerEnumType(values, {
    name: `${name}OrderField`,
    description: `What ${name} rows can be ordered by.`,
    valuesConfig: notesOnOrders(fields),
  });
  class OrderBy {}
  InputType(`${name}OrderByInput`, {
    description: "One term of the order; the id settles what is left open.",
  })(OrderBy);
  Field((() => values) as unknown as () => typeof String, { description: "The field to order by." })(
    OrderBy.prototype,
    "field",
  );
  Field(() => OrderDirection, { nullable: true, description: "The direction; ascending when absent." })(
    OrderBy.prototype,
    "direction",
  );
  return () => OrderBy;
}

/** Describes the names by which rows are ordered otherwise than by the exact value. */
function notesOnOrders(
  fields: Readonly<Record<string, ListField>>,
): Record<string, { description: string; deprecationReason?: string }> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, { order }]) => {
      if (order === undefined) return [];
      const { name, note, former } = order;
      const own = [name, { description: note }] as const;
      return former === undefined
        ? [own]
        : [own, [constantCase(field), { description: note, deprecationReason: former }] as const];
    }),
  );
}

/** Returns the names by which rows are ordered, with their fields. */
function sortable(fields: Readonly<Record<string, ListField>>): Record<string, string> {
  const all = Object.entries(fields).filter(([, declared]) => isSortable(declared));
  return Object.fromEntries(
    all.flatMap(([field, { order }]) => {
      const names = order === undefined || order.former !== undefined ? [constantCase(field)] : [];
      return [...names, ...(order === undefined ? [] : [order.name])].map((name) => [name, field]);
    }),
  );
}

/** Has all list arguments checked beside the one that it is put on, the filter. */
export function ChecksList(list: CheckedList): PropertyDecorator {
  return Extensions({ [CHECKED_LIST]: list });
}

function listArgs(
  name: string,
  filter: () => ClassType,
  order: () => ClassType,
  {
    deletedRowsOf,
    deletedRows = "deleted rows",
    list,
  }: { deletedRowsOf?: Area; deletedRows?: string; list: CheckedList },
): new () => ListArguments {
  class Args {}
  ArgsType()(Args);
  Object.defineProperty(Args, "name", { value: `${name}ListArgs` });
  const add = (field: string, type: () => unknown, description: string): void => {
    Field(type as () => typeof String, { nullable: true, description })(Args.prototype, field);
    if (field === "after" || field === "before")
      Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })(Args.prototype, field);
  };
  add("filter", filter, "Which rows; everything when absent.");
  ChecksList(list)(Args.prototype, "filter");
  add("orderBy", () => [order()], "In which order; the resource's own order when absent.");
  add("first", () => Int, "How many rows from the start (or after `after`): 1 to 200, 25 when absent.");
  add("after", () => String, "Cursor of the row after which to start.");
  add("last", () => Int, "How many rows from the end (or before `before`): 1 to 200.");
  add("before", () => String, "Cursor of the row before which to end.");
  add("offset", () => Int, "How many rows to skip; cursors are cheaper for deep pages.");
  if (deletedRowsOf !== undefined) {
    add("withDeleted", () => Boolean, `Also ${deletedRows}; for admins who may see or edit them.`);
    Extensions({ [DELETED_ROWS_OF]: deletedRowsOf })(Args.prototype, "withDeleted");
  }
  return Args;
}

function countArgs(
  name: string,
  fields: Readonly<Record<string, ListField>>,
  filter: () => ClassType,
): (new () => CountArguments) | null {
  const countable = Object.keys(fields).filter((field) => isCountable(fields[field] as ListField));
  if (countable.length === 0) return null;
  const values = Object.fromEntries(countable.map((field) => [constantCase(field).toLowerCase(), field]));
  registerEnumType(values, {
    name: `${name}CountField`,
    description: `What ${name} rows can be counted by.`,
    valuesConfig: Object.fromEntries(
      Object.entries(values).map(([word, field]) => [word, { description: `By \`${field}\`.` }]),
    ),
  });
  class Args {}
  ArgsType()(Args);
  Object.defineProperty(Args, "name", { value: `${name}CountArgs` });
  Field((() => values) as unknown as () => typeof String, { description: "The field whose values count." })(
    Args.prototype,
    "by",
  );
  Field(filter as () => typeof String, {
    nullable: true,
    description: "Which rows; everything when absent.",
  })(Args.prototype, "filter");
  ChecksList({ fields })(Args.prototype, "filter");
  return Args as new () => CountArguments;
}

function isSortable({ sortable, derived }: ListField): boolean {
  return sortable !== false && derived === undefined;
}

function isCountable({ kind, countable, derived }: ListField): boolean {
  if (derived !== undefined) return false;
  return countable === true || kind === "enum" || kind === "boolean";
}

function constantCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])([A-Z])/gu, "_$1").toUpperCase();
}
