import type { SheetRow } from "../../core/sheets/sheet.js";
import { readCell, type DecimalSign } from "../goods/good-cell.rules.js";
import type { ReadRow, RowError } from "./import-row.rules.js";
import { listedVariants, pairsOf } from "./listed-variants.rules.js";
import { textOf, type VariantLayout } from "./variant-layout.rules.js";
import { tellVariants, type ToldVariants, type Variant, type VariantOption } from "./variants.rules.js";

/** The value that Shopify gives to the only variant of a good without variants. */
const NO_VARIANT = "Default Title";

/** A row of a sheet, as it is and as it is read. */
interface Part {
  readonly row: SheetRow;
  readonly read: ReadRow;
}

/** Makes one row of those of a good: it has all of their pictures and barcodes, and their variants as properties. */
export function mergeRows(
  layout: VariantLayout,
  good: Part,
  following: readonly Part[],
  decimal: DecimalSign | null,
): ReadRow {
  const parts = [good, ...following];
  const merged: ReadRow = {
    ...good.read,
    rows: parts.length,
    errors: parts.flatMap(({ read }) => read.errors),
    notes: parts.flatMap(({ read }) => read.notes),
    pictures: parts.flatMap(({ read }) => read.pictures),
  };
  const refuse = (row: number, message: string, field: string | null = null): ReadRow => {
    const error: RowError = { row, column: null, header: null, field, rule: "variants", message };
    return { ...merged, errors: [...merged.errors, error] };
  };
  if (merged.errors.length > 0) return merged;
  /** @param sold are the rows of the variants. */
  const sell = (used: readonly VariantOption[], told: readonly Variant[], sold: readonly Part[]): ReadRow => {
    const [first, ...others] = told;
    if (first === undefined) return refuse(good.row.number, "has options and no variant");
    const result = tellVariants(used, [first, ...others]);
    if ("wrong" in result) return refuse(result.row ?? good.row.number, result.wrong);
    const base = sold.find(({ row }) => row.number === result.row) ?? good;
    const { compareAtPriceE2 } = base.read.change.good;
    const change = withSums(merged, parts, sold);
    const price = { priceE2: result.priceE2, ...(compareAtPriceE2 !== undefined && { compareAtPriceE2 }) };
    return {
      ...merged,
      variants: result.variants,
      change: { ...change, second: { good: {}, branchGood: {} }, good: { ...change.good, ...price } },
    };
  };
  if (layout.kind === "listed") {
    const list = tellListed(layout, good, following);
    return "wrong" in list ? refuse(list.row, list.wrong, list.field) : sell(list.used, list.told, list.sold);
  }
  if (layout.kind === "combinations") {
    const result = tellCombinations(layout, parts, decimal);
    if ("wrong" in result) return refuse(result.row ?? good.row.number, result.wrong);
    return { ...merged, variants: result.variants, change: withSums(merged, parts, parts) };
  }
  const sold = layout.kind === "parent" ? following : parts;
  const named = layout.options.map(({ name }) => parts.map(({ row }) => textOf(row.cells[name])));
  const used = layout.options.flatMap(({ value }, i): (VariantOption & { value: number })[] => {
    const values = sold.map(({ row }) => textOf(row.cells[value])).filter((text) => text !== "");
    const listed = layout.kind === "parent" ? listOf(textOf(good.row.cells[value])) : [];
    const name = named[i]?.find((text) => text !== "") ?? "";
    const isNone = values.every((text) => text === NO_VARIANT);
    const isOfVariants =
      layout.kind === "parent" &&
      following.some(({ row }) => textOf(row.cells[layout.options[i]?.name ?? -1]) !== "");
    return isNone && !(isOfVariants && listed.length > 0) ? [] : [{ name, value, listed }];
  });
  const variants = sold.filter(
    (part) =>
      layout.kind === "parent" ||
      used.some(({ value }) => textOf(part.row.cells[value]) !== "") ||
      (sells(part) && !(layout.kind === "slug" && part === good)),
  );
  if (used.length === 0) {
    const another = following.find(({ read }) => read.change.good.priceE2 !== undefined);
    return another === undefined
      ? merged
      : refuse(another.row.number, "is a second variant without options of its own");
  }
  const unnamed = used.find(({ name }) => name === "");
  if (unnamed !== undefined) return refuse(good.row.number, "has an option without a name");
  const told: Variant[] = [];
  for (const { row, read } of variants) {
    const values = used.map(({ value }) => textOf(row.cells[value]) || null);
    const { priceE2 } = read.change.good;
    if (priceE2 === undefined) return refuse(row.number, "is required for a variant", "price_e2");
    const open = used.find(({ listed }, i) => values[i] === null && listed.length === 0);
    if (open !== undefined) return refuse(row.number, `has no value of ${open.name}`);
    told.push({ row: row.number, values, priceE2 });
  }
  return sell(used, told, variants);
}

/** Whether a row says what something costs or how much of it there is: others have pictures alone. */
function sells({ read: { change } }: Part): boolean {
  const { priceE2, compareAtPriceE2 } = change.good;
  return [priceE2, compareAtPriceE2, change.branchGood.stock].some((value) => value !== undefined);
}

/** What a good's row lists of its variants: the options in which they differ, and their rows, in the order of the list. */
type ToldList =
  | {
      readonly used: readonly VariantOption[];
      readonly told: readonly Variant[];
      readonly sold: readonly Part[];
    }
  | { readonly wrong: string; readonly row: number; readonly field?: string };

/** Tells the variants that Magento lists of a good. Their options have the names that it gives them, else their codes. */
function tellListed(
  { options: [column], sku }: VariantLayout,
  good: Part,
  following: readonly Part[],
): ToldList {
  const { row } = good;
  const list = listedVariants(textOf(row.cells[column?.value ?? -1]));
  const labels = pairsOf(textOf(row.cells[column?.name ?? -1]));
  const bySku = new Map(following.map((part) => [textOf(part.row.cells[sku]), part]));
  const codes = [...(list[0]?.values.keys() ?? [])];
  const told: Variant[] = [];
  const sold: Part[] = [];
  for (const variant of list) {
    const part = bySku.get(variant.sku);
    const { number } = part?.row ?? row;
    if (part === undefined)
      return {
        row: number,
        wrong: `lists the variant ${variant.sku}, which has no row, or is of another good`,
      };
    const isWhole = variant.values.size === codes.length && codes.every((code) => variant.values.get(code));
    if (codes.length === 0 || !isWhole)
      return { row: number, wrong: "has not one value of each attribute that the good's first variant has" };
    const { priceE2 } = part.read.change.good;
    if (priceE2 === undefined) return { row: number, wrong: "is required for a variant", field: "price_e2" };
    told.push({ row: number, values: codes.map((code) => variant.values.get(code) ?? null), priceE2 });
    sold.push(part);
  }
  return { used: codes.map((code) => ({ name: labels.get(code) ?? code, listed: [] })), told, sold };
}

/** The change of a good with all barcodes of its rows, and the stock of its variants. */
function withSums({ change }: ReadRow, parts: readonly Part[], variants: readonly Part[]): ReadRow["change"] {
  const barcodes = [...new Set(parts.flatMap(({ read }) => read.change.good.barcodes ?? []))];
  const stocks = variants.flatMap(({ read }) => read.change.branchGood.stock ?? []);
  return {
    ...change,
    good: { ...change.good, ...(barcodes.length > 0 && { barcodes }) },
    branchGood: { ...change.branchGood, ...(stocks.length > 0 && { stock: sumOf(stocks) }) },
  };
}

/**
 * Tells the combinations of PrestaShop, such as `Size:select:0,Colour:color:1` of `M:0,Red:1`. The good keeps its price, so none of
 * them may cost less; what all of them cost more is the first option's.
 */
function tellCombinations(
  { impact, options: [column] }: VariantLayout,
  parts: readonly Part[],
  decimal: DecimalSign | null,
): ToldVariants {
  const names: string[] = [];
  const variants: Variant[] = [];
  for (const { row } of parts) {
    const { number, cells } = row;
    const own = wordsOf(textOf(cells[column?.name ?? -1]));
    const values = wordsOf(textOf(cells[column?.value ?? -1]));
    if (names.length === 0) names.push(...own);
    const isWhole = own.length === names.length && names.every((name) => own.includes(name));
    if (!isWhole || own.length === 0 || values.length !== own.length)
      return { row: number, wrong: "has not one value of each attribute that the good's first row has" };
    const text = textOf(cells[impact]);
    const cost = text === "" ? { value: 0 } : readCell("amount", text, decimal);
    if ("wrong" in cost)
      return { row: number, wrong: `has a wrong impact on the price: it ${cost.wrong.message}` };
    const priceE2 = cost.value as number;
    if (priceE2 < 0) return { row: number, wrong: "costs less than its good, which needs the lowest price" };
    variants.push({ row: number, values: names.map((name) => values[own.indexOf(name)] ?? null), priceE2 });
  }
  const [first, ...others] = variants;
  if (first === undefined) return { row: null, wrong: "has no combination" };
  const options = names.map((name) => ({ name, listed: [] }));
  const told = tellVariants(options, [first, ...others]);
  if ("wrong" in told) return told;
  const [leading, ...rest] = told.variants;
  if (leading === undefined) return told;
  const dearer = leading.options.map(({ name, priceE2 }) => ({ name, priceE2: priceE2 + told.priceE2 }));
  return { ...told, variants: [{ ...leading, options: dearer }, ...rest] };
}

/** The first words of a list such as `Size:select:0,Colour:color:1`. */
function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((word) => (word.split(":")[0] ?? "").trim())
    .filter((word) => word !== "");
}

/** The values that WooCommerce lists of an attribute; a comma within one has a backslash before it. */
function listOf(text: string): string[] {
  return text
    .split(/(?<!\\),/u)
    .map((value) => value.replaceAll("\\,", ",").trim())
    .filter((value) => value !== "");
}

/** Stocks have three decimals at most: whole thousandths are summed. */
function sumOf(stocks: readonly number[]): number {
  return stocks.reduce((sum, stock) => sum + Math.round(stock * 1_000), 0) / 1_000;
}
