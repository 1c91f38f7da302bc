import { WorkFailed } from "../../core/jobs/sheet-work.js";
import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import { inOneLine, plainCell } from "../goods/good-cell.rules.js";
import { plainHeader } from "../goods/good-headers.js";

/** Where a sheet has the variants of its goods. */
export interface VariantLayout {
  /** `handle`: all rows of a good have one value there. `parent`: variants name the good that they are of. */
  readonly kind: "handle" | "parent";
  readonly key: number;
  /** By what variants name their good, in a sheet of kind `parent`. */
  readonly sku: number;
  readonly id: number;
  readonly options: readonly { readonly name: number; readonly value: number }[];
}

const MOST_FOLLOWING = 100_000;
const OPTION = /^(?:option(?<option>\d)name|attribute(?<attribute>\d{1,2})name)$/u;

/** Finds where a sheet has variants: as Shopify and Spree write them, or as WooCommerce does. */
export function variantLayout(headers: readonly string[]): VariantLayout | null {
  const plain = headers.map(plainHeader);
  const at = (...names: readonly string[]): number => plain.findIndex((header) => names.includes(header));
  const options = plain.flatMap((header, name) => {
    const { option, attribute } = OPTION.exec(header)?.groups ?? {};
    const value =
      option === undefined
        ? at(`attribute${attribute}values`, `attribute${attribute}value`)
        : at(`option${option}value`);
    return (option ?? attribute) === undefined || value < 0 ? [] : [{ name, value }];
  });
  if (options.length === 0) return null;
  const [handle, parent] = [at("handle", "urlhandle", "slug"), at("parent")];
  const others = { sku: at("sku"), id: at("id"), options };
  if (plain.some((header) => header.startsWith("attribute")))
    return parent < 0 ? null : { kind: "parent", key: parent, ...others };
  return handle < 0 ? null : { kind: "handle", key: handle, ...others };
}

/** The rows of a sheet that belong together, found before the first one is done. */
export class VariantGroups {
  private readonly firstRows = new Map<string, number>();
  private readonly following = new Map<string, SheetRow[]>();
  private count = 0;

  constructor(readonly layout: VariantLayout) {}

  /** Takes each row of the sheet. @throws WorkFailed. */
  add(row: SheetRow): void {
    const { kind, key, sku, id } = this.layout;
    const named = textOf(row.cells[key]);
    if (kind === "handle" && named !== "" && !this.firstRows.has(named))
      this.firstRows.set(named, row.number);
    else if (named !== "") this.addFollowing(named, row);
    else if (kind === "parent")
      for (const name of [textOf(row.cells[sku]), `id:${textOf(row.cells[id])}`])
        if (name !== "" && name !== "id:" && !this.firstRows.has(name)) this.firstRows.set(name, row.number);
  }

  private addFollowing(named: string, row: SheetRow): void {
    this.count += 1;
    if (this.count > MOST_FOLLOWING)
      throw new WorkFailed(
        `More than ${MOST_FOLLOWING.toLocaleString("en")} rows are of goods of other rows.`,
      );
    const rows = this.following.get(named);
    if (rows === undefined) this.following.set(named, [row]);
    else rows.push(row);
  }

  /** The row with the good that another row belongs to; `null` for a row of its own, `missing` where the sheet has none. */
  goodRowOf(row: SheetRow): number | "missing" | null {
    const named = textOf(row.cells[this.layout.key]);
    if (named === "") return null;
    const first = this.firstRows.get(named) ?? "missing";
    return first === row.number ? null : first;
  }

  /** The rows that belong to a row with a good, in their order. */
  followingOf({ number, cells }: SheetRow): readonly SheetRow[] {
    const { kind, key, sku, id } = this.layout;
    const names = kind === "handle" ? [textOf(cells[key])] : [textOf(cells[sku]), `id:${textOf(cells[id])}`];
    return [...new Set(names)]
      .filter((name) => this.firstRows.get(name) === number)
      .flatMap((name) => this.following.get(name) ?? []);
  }
}

/** A cell as a text in one line; empty for one that is blank or wrong. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === "string" ? inOneLine(plainCell(cell)) : "";
}
