import { WorkFailed } from "../../core/jobs/sheet-work.js";
import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import { inOneLine, plainCell } from "../goods/good-cell.rules.js";
import { columnOfHeader, plainHeader } from "../goods/good-headers.js";
import type { SheetProfile } from "./import-options.rules.js";
import { listedVariants } from "./listed-variants.rules.js";

/** Where a sheet has the variants of its goods. */
export interface VariantLayout {
  /**
   * `handle`: all rows of a good have one value there. `parent`: variants name the good that they are of. `combinations`: all
   * rows are variants of a good that is there, with all of their options in one cell, and what they cost more. `listed`: a good
   * names the rows of its variants by their skus, with the options of each.
   */
  readonly kind: "handle" | "parent" | "combinations" | "listed";
  readonly key: number;
  /** By what variants name their good in a sheet of kind `parent`, and goods their variants in one of kind `listed`. */
  readonly sku: number;
  readonly id: number;
  /** What a combination costs more than its good; -1 where there is no such column. */
  readonly impact: number;
  readonly options: readonly { readonly name: number; readonly value: number }[];
}

const MOST_FOLLOWING = 100_000;
const OPTION = /^(?:option(?<option>\d)name|attribute(?<attribute>\d{1,2})name)$/u;
/** How WooCommerce calls the columns of variants in German, Spanish and French: it writes headers in the language of the shop. */
const TRANSLATED: readonly (readonly [header: RegExp, english: string])[] = [
  [
    /^(?:attribut(?=\d+name$)|nombredelatributo|nomdelattribut)(?<number>\d{1,2})(?:name)?$/u,
    "attribute$<number>name",
  ],
  [
    /^(?:attribut(?=\d+werte$)|valoresdelatributo|valeursdelattribut)(?<number>\d{1,2})(?:werte)?$/u,
    "attribute$<number>values",
  ],
  [/^(?:ubergeordnetesprodukt|superior)$/u, "parent"],
];

/** Finds where a sheet has variants: as Shopify and Spree write them, as WooCommerce does, PrestaShop or Magento. */
export function variantLayout(
  headers: readonly string[],
  profile: SheetProfile | null,
): VariantLayout | null {
  const plain = headers.map((header) =>
    TRANSLATED.reduce(
      (text, [translated, english]) => text.replace(translated, english),
      plainHeader(header),
    ),
  );
  const at = (...names: readonly string[]): number => plain.findIndex((header) => names.includes(header));
  const [names, texts, reference] = [
    at("attributenametypeposition"),
    at("valuevalueposition"),
    at("productreference"),
  ];
  const of = (program: SheetProfile): boolean => profile === null || profile === program;
  if (names >= 0 && texts >= 0 && reference >= 0 && of("prestashop")) {
    const others = { sku: -1, id: -1, impact: at("impactonprice"), options: [{ name: names, value: texts }] };
    return { kind: "combinations", key: reference, ...others };
  }
  const sku = at("sku");
  const skuOrLike = sku >= 0 ? sku : headers.findIndex((header) => columnOfHeader(header) === "sku");
  const [listed, labels] = [at("configurablevariations"), at("configurablevariationlabels")];
  if (listed >= 0 && skuOrLike >= 0 && of("magento")) {
    const others = { sku: skuOrLike, id: -1, impact: -1, options: [{ name: labels, value: listed }] };
    return { kind: "listed", key: listed, ...others };
  }
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
  const others = { sku: skuOrLike, id: at("id"), impact: -1, options };
  if (plain.some((header) => header.startsWith("attribute")))
    return parent < 0 || !of("woocommerce") ? null : { kind: "parent", key: parent, ...others };
  return handle < 0 || !of("shopify") ? null : { kind: "handle", key: handle, ...others };
}

/** The rows of a sheet that belong together, found before the first one is done. */
export class VariantGroups {
  private readonly firstRows = new Map<string, number>();
  private readonly following = new Map<string, SheetRow[]>();
  /** In a sheet of kind `listed`: the rows of goods by the skus of their variants, and the rows of these. */
  private readonly goodRows = new Map<string, number>();
  private count = 0;
  private surveys = 0;

  constructor(readonly layout: VariantLayout) {}

  /** Returns what takes each row of the sheet; `null` once all is known. Rows of variants may stand before that of their good. */
  survey(): ((row: SheetRow) => void) | null {
    this.surveys += 1;
    if (this.surveys === 1)
      return this.layout.kind === "listed" ? (row) => this.addListed(row) : (row) => this.add(row);
    return this.surveys === 2 && this.goodRows.size > 0 ? (row) => this.addVariant(row) : null;
  }

  private addListed({ cells, number }: SheetRow): void {
    const { key, sku } = this.layout;
    for (const variant of listedVariants(textOf(cells[key])))
      if (variant.sku !== textOf(cells[sku]) && !this.goodRows.has(variant.sku))
        this.goodRows.set(variant.sku, number);
    this.assertCount(this.goodRows.size);
  }

  private addVariant(row: SheetRow): void {
    const sku = textOf(row.cells[this.layout.sku]);
    const good = this.goodRows.get(sku);
    if (good === undefined || this.firstRows.has(sku)) return;
    this.firstRows.set(sku, row.number);
    this.addFollowing(String(good), row);
  }

  private add(row: SheetRow): void {
    const { kind, key, sku, id } = this.layout;
    const named = textOf(row.cells[key]);
    if (kind !== "parent" && named !== "" && !this.firstRows.has(named))
      this.firstRows.set(named, row.number);
    else if (named !== "") this.addFollowing(named, row);
    else if (kind === "parent")
      for (const name of [textOf(row.cells[sku]), `id:${textOf(row.cells[id])}`])
        if (name !== "" && name !== "id:" && !this.firstRows.has(name)) this.firstRows.set(name, row.number);
  }

  private addFollowing(named: string, row: SheetRow): void {
    this.count += 1;
    this.assertCount(this.count);
    const rows = this.following.get(named);
    if (rows === undefined) this.following.set(named, [row]);
    else rows.push(row);
  }

  /** @throws WorkFailed. */
  private assertCount(count: number): void {
    if (count > MOST_FOLLOWING)
      throw new WorkFailed(
        `More than ${MOST_FOLLOWING.toLocaleString("en")} rows are of goods of other rows.`,
      );
  }

  /**
   * The row with the good that another row belongs to; `null` for a row of its own, `missing` where the sheet has none, `repeated`
   * for a second row of a variant.
   */
  goodRowOf(row: SheetRow): number | "missing" | "repeated" | null {
    if (this.layout.kind === "listed") {
      const sku = textOf(row.cells[this.layout.sku]);
      const good = this.goodRows.get(sku);
      if (good === undefined || good === row.number) return null;
      return this.firstRows.get(sku) === row.number ? good : "repeated";
    }
    const named = textOf(row.cells[this.layout.key]);
    if (named === "") return null;
    const first = this.firstRows.get(named) ?? "missing";
    return first === row.number ? null : first;
  }

  /** Whether a row may have variants: in some sheets, goods without any stand beside those with some. */
  isOfVariants(row: SheetRow): boolean {
    const { kind, key } = this.layout;
    if (kind === "listed") return textOf(row.cells[key]) !== "";
    return kind !== "parent" || this.followingOf(row).length > 0;
  }

  /** The rows that belong to a row with a good, in their order. */
  followingOf({ number, cells }: SheetRow): readonly SheetRow[] {
    const { kind, key, sku, id } = this.layout;
    if (kind === "listed") return this.following.get(String(number)) ?? [];
    const names = kind !== "parent" ? [textOf(cells[key])] : [textOf(cells[sku]), `id:${textOf(cells[id])}`];
    return [...new Set(names)]
      .filter((name) => this.firstRows.get(name) === number)
      .flatMap((name) => this.following.get(name) ?? []);
  }
}

/** A cell as a text in one line; empty for one that is blank or wrong. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === "string" ? inOneLine(plainCell(cell)) : "";
}
