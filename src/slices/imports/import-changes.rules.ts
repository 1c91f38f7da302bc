import { isDeepStrictEqual } from "node:util";

/** A preview of changes shows so many rows; its table has all. */
export const CHANGES_SHOWN = 1_000;

/** The value of a field before and after a change. */
export interface FieldChange {
  readonly before: unknown;
  readonly after: unknown;
}

/** A row that an import would change. */
export interface RowChange {
  readonly row: number;
  /** `null` for a good that the row would create. */
  readonly goodId: number | null;
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly note: string | null;
}

/**
 * Returns the fields in which a good differs; of a new good those that hold something.
 *
 * @param before is `null` for a new good.
 */
export function fieldChanges(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, FieldChange>> {
  const changed = Object.entries(after).filter(([field, value]) =>
    before === null ? !isNothing(value) : !isDeepStrictEqual(before[field], value),
  );
  return Object.fromEntries(
    changed.map(([field, value]) => [field, { before: before?.[field] ?? null, after: value }]),
  );
}

function isNothing(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A new good of an earlier row that has the name of another one, or a sku that differs by case or leading zeros alone. */
export interface EarlierRow {
  readonly row: number;
  readonly hasName: boolean;
}

/** The new goods of a sheet, in which each finds the first one like it. */
export class NewGoods {
  private readonly byName = new Map<string, number>();
  private readonly bySku = new Map<string, number>();

  /** Adds the new good of a row. @returns the row before it that has one like it. */
  add(row: number, { name, sku }: { readonly name: unknown; readonly sku: unknown }): EarlierRow | null {
    const folded = typeof sku === "string" ? sku.toLowerCase().replace(/^0+/u, "") : "";
    const withSku = folded === "" ? undefined : this.bySku.get(folded);
    const withName = this.byName.get(String(name));
    if (withSku === undefined && folded !== "") this.bySku.set(folded, row);
    if (withName === undefined) this.byName.set(String(name), row);
    if (withSku !== undefined) return { row: withSku, hasName: withSku === withName };
    return withName === undefined ? null : { row: withName, hasName: true };
  }
}
