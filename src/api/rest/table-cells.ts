import { Kind, type FieldNode, type SelectionSetNode } from "graphql";
import { formatAmount } from "../../core/money.js";
import { isDecimal, isFlat } from "./rest-route.js";

/** A value of a table. A text stays apart from a number, since only a text may look like a formula. */
export type TableCell = string | number | null;

/** A column of a table: its header, and where its value stands in a row. */
export interface TableColumn {
  readonly header: string;
  readonly path: readonly string[];
  /** The one key that is selected of the objects of a list; `null` for all other values. */
  readonly item: string | null;
  /** Whether the amount is written with decimals. */
  readonly isDecimal: boolean;
}

/** Returns a column for each key that a document selects of the rows, in its order. */
export function columnsOf(
  { selections }: SelectionSetNode,
  path: readonly string[] = [],
): readonly TableColumn[] {
  return selections.flatMap((field) => {
    if (field.kind !== Kind.FIELD) return [];
    const header = keyOf(field);
    if (isFlat(field)) return columnsOf(field.selectionSet as SelectionSetNode, [...path, header]);
    const inner = (field.selectionSet?.selections ?? []) as readonly FieldNode[];
    const item = inner.length === 1 ? keyOf(inner[0] as FieldNode) : null;
    return [{ header, path: [...path, header], item, isDecimal: isDecimal(field) }];
  });
}

/** Returns the columns of what is loaded along: a column for each plain key, named by its way from the row. */
export function columnsOfLoaded(
  { selections }: SelectionSetNode,
  path: readonly string[] = [],
): readonly TableColumn[] {
  return selections.flatMap((field) => {
    if (field.kind !== Kind.FIELD) return [];
    const own = [...path, keyOf(field)];
    return field.selectionSet === undefined
      ? [{ header: own.join("."), path: own, item: null, isDecimal: false }]
      : columnsOfLoaded(field.selectionSet, own);
  });
}

/** Returns the fields of a row that columns need: all plain ones, and the relations of which a column shows something. */
export function fieldsShown(
  { selections }: SelectionSetNode,
  columns: readonly TableColumn[],
): readonly FieldNode[] {
  const shown = new Set(columns.map(({ path: [first] }) => first));
  return (selections as readonly FieldNode[]).filter(
    (field) => field.selectionSet === undefined || shown.has(keyOf(field)),
  );
}

/** Returns the cell that a row has in a column. @param decimal is the sign before decimals. */
export function cellOf(
  row: object,
  { path, item, isDecimal: hasDecimals }: TableColumn,
  decimal = ".",
): TableCell {
  const value = valueAt(row, path);
  if (value === null || value === undefined) return null;
  if (hasDecimals && typeof value === "number") return formatAmount(BigInt(value)).replace(".", decimal);
  if (typeof value === "number")
    return decimal === "." || Number.isInteger(value) ? value : String(value).replace(".", decimal);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return listCell(item === null ? value : value.map((object: Record<string, unknown>) => object[item]));
}

/**
 * The value at the end of a path; of objects in a list, the list of theirs.
 *
 * @param from is the place in the path at which it begins: parts of the path would be lists of their own, for each cell.
 */
function valueAt(row: unknown, path: readonly string[], from = 0): unknown {
  let value = row;
  for (let index = from; index < path.length; index += 1) {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((one) => valueAt(one, path, index));
    value = (value as Record<string, unknown>)[path[index] as string];
  }
  return value;
}

/** A list is written as `a, b` where that reads as the same list again, else as JSON. */
function listCell(values: readonly unknown[]): TableCell {
  if (values.length === 0) return null;
  return values.every(isPlain) && !hasRepeats(values) ? values.join(", ") : JSON.stringify(values);
}

const isPlain = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && PLAIN.test(value));

function hasRepeats(values: readonly unknown[]): boolean {
  // Most lists are short: a set of one takes longer than all the rest that is made of it.
  if (values.length > SHORT) return new Set(values).size < values.length;
  return values.some((value, index) => values.indexOf(value) < index);
}

const SHORT = 8;

/** An item of a list without separators, which does not begin as JSON does. */
const PLAIN = /^(?![[\s])[^,;|\r\n]*(?<!\s)$/u;

/** Returns the key that a field has in a row. */
export function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}
