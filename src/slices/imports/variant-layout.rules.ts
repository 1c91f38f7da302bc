import type { Cell } from "../../core/sheets/sheet.js";
import { inOneLine, plainCell } from "../goods/good-cell.rules.js";
import { columnOfHeader, plainHeader } from "../goods/good-headers.js";
import type { SheetProfile } from "./import-options.rules.js";

/** Where a sheet has the variants of its goods. */
export interface VariantLayout {
  /**
   * `handle`: all rows of a good have one value there, and each is a variant; with `slug` the first one is the good's, of which
   * the others are the variants, unless it has options itself. `parent`: variants name the good that they are of. `combinations`: all
   * rows are variants of a good that is there, with all of their options in one cell, and what they cost more. `listed`: a good
   * names the rows of its variants by their skus, with the options of each.
   */
  readonly kind: "handle" | "slug" | "parent" | "combinations" | "listed";
  readonly key: number;
  /** By what variants name their good in a sheet of kind `parent`, and goods their variants in one of kind `listed`. */
  readonly sku: number;
  readonly id: number;
  /** What a combination costs more than its good; -1 where there is no such column. */
  readonly impact: number;
  readonly options: readonly { readonly name: number; readonly value: number }[];
}

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
  const [handle, slug, parent] = [at("handle", "urlhandle"), at("slug"), at("parent")];
  const others = { sku: skuOrLike, id: at("id"), impact: -1, options };
  if (plain.some((header) => header.startsWith("attribute")))
    return parent < 0 || !of("woocommerce") ? null : { kind: "parent", key: parent, ...others };
  if (!of("shopify")) return null;
  if (handle >= 0) return { kind: "handle", key: handle, ...others };
  return slug < 0 ? null : { kind: "slug", key: slug, ...others };
}

/** A cell as a text in one line; empty for one that is blank or wrong. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === "string" ? inOneLine(plainCell(cell)) : "";
}
