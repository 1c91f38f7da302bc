import { Kind, type FieldNode, type SelectionSetNode } from "graphql";
import { isFlat } from "./rest-route.js";

/** A value of a table. A text stays apart from a number, since only a text may look like a formula. */
export type TableCell = string | number | null;

/** A column of a table: its header, and where its value stands in a row. */
export interface TableColumn {
  readonly header: string;
  readonly path: readonly string[];
  /** The one key that is selected of the objects of a list; `null` for all other values. */
  readonly item: string | null;
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
    return [{ header, path: [...path, header], item }];
  });
}

/** Returns the cell that a row has in a column. */
export function cellOf(row: object, { path, item }: TableColumn): TableCell {
  let value: unknown = row;
  for (const key of path) value = (value as Record<string, unknown>)[key];
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return listCell(item === null ? value : value.map((object: Record<string, unknown>) => object[item]));
}

/** A list is written as `a, b` where that reads as the same list again, else as JSON. */
function listCell(values: readonly unknown[]): TableCell {
  if (values.length === 0) return null;
  if (values.length === 1 && typeof values[0] === "string" && PLAIN.test(values[0])) return values[0];
  const isPlain = values.every(
    (value) => typeof value === "number" || (typeof value === "string" && PLAIN.test(value)),
  );
  return isPlain && new Set(values).size === values.length ? values.join(", ") : JSON.stringify(values);
}

/** An item of a list without separators, which does not begin as JSON does. */
const PLAIN = /^(?![[\s])[^,;|\r\n]*(?<!\s)$/u;

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}
