import { WorkFailed } from "../../core/jobs/sheet-work.js";
import type { SheetRow } from "../../core/sheets/sheet.js";
import { listedVariants } from "./listed-variants.rules.js";
import { textOf, type VariantLayout } from "./variant-layout.rules.js";

const MOST_FOLLOWING = 100_000;

/** Takes each row of a sheet. */
type Survey = (row: SheetRow) => void;

/** The rows of a sheet that belong together, found before the first one is done. */
export abstract class VariantGroups {
  private readonly following = new Map<string, SheetRow[]>();
  private count = 0;

  constructor(readonly layout: VariantLayout) {}

  /** Gives what takes all rows of the sheet; one is made behind what the one before has found. */
  abstract surveys(): Iterable<Survey>;

  /**
   * Returns the row with the good that another row belongs to; `null` for a row of its own, `missing` where the sheet has none,
   * `repeated` for a second row of a variant.
   */
  abstract goodRowOf(row: SheetRow): number | "missing" | "repeated" | null;

  /** Tells whether a row may have variants: in some sheets, goods without any stand beside those with some. */
  abstract isOfVariants(row: SheetRow): boolean;

  /** Returns the rows that belong to a row with a good, in their order. */
  abstract followingOf(row: SheetRow): readonly SheetRow[];

  protected skuOf({ cells }: SheetRow): string {
    return textOf(cells[this.layout.sku]);
  }

  protected keyOf({ cells }: SheetRow): string {
    return textOf(cells[this.layout.key]);
  }

  protected addFollowing(good: string, row: SheetRow): void {
    this.count += 1;
    assertCount(this.count);
    const rows = this.following.get(good);
    if (rows === undefined) this.following.set(good, [row]);
    else rows.push(row);
  }

  protected rowsOf(good: string): readonly SheetRow[] {
    return this.following.get(good) ?? [];
  }
}

/** Rows that name their good. Rows of variants may stand before that of their good. */
abstract class NamedGroups extends VariantGroups {
  private readonly firstRows = new Map<string, number>();

  override *surveys(): Generator<Survey> {
    yield (row) => this.add(row);
  }

  protected abstract add(row: SheetRow): void;

  /** Returns the names by which other rows may name the good of a row. */
  protected abstract namesOf(row: SheetRow): readonly string[];

  override goodRowOf(row: SheetRow): number | "missing" | null {
    const key = this.keyOf(row);
    if (key === "") return null;
    const first = this.firstRows.get(key) ?? "missing";
    return first === row.number ? null : first;
  }

  override followingOf(row: SheetRow): readonly SheetRow[] {
    return this.namesOf(row)
      .filter((name) => this.firstRows.get(name) === row.number)
      .flatMap((name) => this.rowsOf(name));
  }

  /** Notes the first row with a name, and returns whether this one is it. */
  protected isFirst(name: string, { number }: SheetRow): boolean {
    const isNew = !this.firstRows.has(name);
    if (isNew) this.firstRows.set(name, number);
    return isNew;
  }
}

/** The first row with a name has the good, as in sheets of kind `handle`, `slug` and `combinations`. */
class FirstRowGroups extends NamedGroups {
  protected override add(row: SheetRow): void {
    const key = this.keyOf(row);
    if (key !== "" && !this.isFirst(key, row)) this.addFollowing(key, row);
  }

  protected override namesOf(row: SheetRow): readonly string[] {
    return [this.keyOf(row)];
  }

  override isOfVariants(): boolean {
    return true;
  }
}

/** A row that names no other one has a good. */
class ParentGroups extends NamedGroups {
  protected override add(row: SheetRow): void {
    const key = this.keyOf(row);
    if (key !== "") this.addFollowing(key, row);
    else for (const name of this.namesOf(row)) this.isFirst(name, row);
  }

  protected override namesOf(row: SheetRow): readonly string[] {
    const id = textOf(row.cells[this.layout.id]);
    return [...new Set([this.skuOf(row), id === "" ? "" : `id:${id}`])].filter((name) => name !== "");
  }

  override isOfVariants(row: SheetRow): boolean {
    return this.followingOf(row).length > 0;
  }
}

/** A row with a good lists the skus of its variants, each of which has a row of its own. */
class ListedGroups extends VariantGroups {
  /** The rows of goods by the skus of their variants. */
  private readonly goodRows = new Map<string, number>();
  private readonly variantRows = new Map<string, number>();

  override *surveys(): Generator<Survey> {
    yield (row) => this.addGood(row);
    if (this.goodRows.size > 0) yield (row) => this.addVariant(row);
  }

  private addGood(row: SheetRow): void {
    for (const { sku } of listedVariants(this.keyOf(row)))
      if (sku !== this.skuOf(row) && !this.goodRows.has(sku)) this.goodRows.set(sku, row.number);
    assertCount(this.goodRows.size);
  }

  private addVariant(row: SheetRow): void {
    const sku = this.skuOf(row);
    const good = this.goodRows.get(sku);
    if (good === undefined || this.variantRows.has(sku)) return;
    this.variantRows.set(sku, row.number);
    this.addFollowing(String(good), row);
  }

  override goodRowOf(row: SheetRow): number | "repeated" | null {
    const sku = this.skuOf(row);
    const good = this.goodRows.get(sku);
    if (good === undefined || good === row.number) return null;
    return this.variantRows.get(sku) === row.number ? good : "repeated";
  }

  override isOfVariants(row: SheetRow): boolean {
    return this.keyOf(row) !== "";
  }

  override followingOf({ number }: SheetRow): readonly SheetRow[] {
    return this.rowsOf(String(number));
  }
}

const GROUPS = {
  handle: FirstRowGroups,
  slug: FirstRowGroups,
  combinations: FirstRowGroups,
  parent: ParentGroups,
  listed: ListedGroups,
} satisfies Record<VariantLayout["kind"], unknown>;

/** Returns the groups of a sheet with a layout; none are known yet. */
export function variantGroups(layout: VariantLayout): VariantGroups {
  return new GROUPS[layout.kind](layout);
}

/** @throws WorkFailed. */
function assertCount(count: number): void {
  if (count > MOST_FOLLOWING)
    throw new WorkFailed(`More than ${MOST_FOLLOWING.toLocaleString("en")} rows are of goods of other rows.`);
}
