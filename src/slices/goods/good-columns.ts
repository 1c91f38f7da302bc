import { camelCaseOf } from "../../core/names.js";

/** How the cells of a column are read and written. */
export type CellKind =
  /** A text in one line. */
  | "text"
  /** A text that may have several lines. */
  | "lines"
  | "integer"
  /** An amount in the currency's unit, such as 12.34. */
  | "amount"
  /** A fraction from 0 to 1, or a percentage with its sign. */
  | "fraction"
  | "decimal"
  | "boolean"
  | "texts"
  | "urls"
  /** A text of which the beginning is taken. */
  | "summary"
  /** A bit mask; words that other programs write there mean nothing. */
  | "goodType"
  | "json";

/** A column of goods in a spreadsheet. */
export interface GoodColumn {
  /** The key of REST bodies; what is no key of them has a name of its own. */
  readonly name: string;
  readonly kind: CellKind;
  /** What the cell belongs to; `categories` links the good, `pictures` are fetched for it, `variants` are its
   * properties with options, `id` says which good it is, `deletion` has the row passed over. */
  readonly of: "good" | "branchGood" | "categories" | "pictures" | "variants" | "id" | "deletion";
  /** The path of the value in the input of a good or a branch good. */
  readonly path: readonly string[];
  /** Says whether an export has the column: another one of these says the same otherwise. */
  readonly isCanonical: boolean;
  /** The value of a cell that empties; the rules of the field say whether it may be empty. */
  readonly empty: unknown;
}

const good = (name: string, kind: CellKind, path: string = camelCaseOf(name)): GoodColumn => ({
  name,
  kind,
  of: "good",
  path: path.split("."),
  isCanonical: true,
  empty: kind === "texts" ? [] : null,
});
const other = (column: GoodColumn): GoodColumn => ({ ...column, isCanonical: false });
const atBranch = (name: string, kind: CellKind, path: string): GoodColumn => ({
  ...good(name, kind, path),
  of: "branchGood",
});

/**
 * All columns that an import knows, and an export writes as far as they are canonical. Together the canonical ones hold
 * everything that can be set of a good, so that an export that is imported again changes nothing. An amount is there in hundredths and
with decimals, categories by ids and by names.
 */
export const GOOD_COLUMNS: readonly GoodColumn[] = [
  { ...good("id", "integer"), of: "id" },
  good("external_id", "text"),
  good("sku", "text"),
  good("name", "text"),
  good("short_details", "text"),
  good("details", "lines"),
  good("price_e2", "integer"),
  good("price", "amount", "priceE2"),
  good("compare_at_price_e2", "integer"),
  good("compare_at_price", "amount", "compareAtPriceE2"),
  good("type", "goodType"),
  { ...good("unit", "text"), empty: "" },
  good("eta", "text"),
  good("eta_config_id", "integer"),
  good("notes_enabled", "boolean"),
  good("max_quantity", "integer"),
  good("limit_type", "text"),
  good("unit_config", "json"),
  good("keywords", "texts"),
  good("barcodes", "texts"),
  good("weight", "text"),
  good("label", "text"),
  good("provider_fee_e2", "integer"),
  good("provider_fee", "amount", "providerFeeE2"),
  good("provider_fee_prc", "fraction"),
  { ...good("categories", "texts"), of: "categories" },
  { ...good("category_names", "texts"), of: "categories" },
  { ...good("picture_urls", "urls", "pictures"), of: "pictures" },
  { ...good("vertical_picture_urls", "urls", "verticalPictures"), of: "pictures" },
  { ...good("variants", "json"), of: "variants" },
  { ...good("deleted_at", "text"), of: "deletion" },
  atBranch("branch_price_e2", "integer", "priceE2"),
  atBranch("branch_price", "amount", "priceE2"),
  atBranch("stock", "decimal", "stock"),
  atBranch("disabled", "boolean", "disabled"),
  other(good("summary", "summary", "shortDetails")),
  other(good("is_type_service", "boolean")),
  other(good("is_type_custom_pickup", "boolean")),
  other(good("is_type_digital", "boolean")),
  other(good("is_type_list", "boolean")),
  other(good("is_combo", "boolean")),
  other(good("is_digital_custom", "boolean")),
  other(good("is_digital_balance", "boolean")),
  other(good("unit_config.enabled", "boolean")),
  other(good("unit_config.unit_name", "text")),
  other(good("unit_config.fraction", "integer")),
  other(good("unit_config.min_quantity", "integer")),
  other(good("unit_config.step_quantity", "integer")),
  other(good("unit_config.max_quantity", "integer")),
  other(good("unit_config.display_mode", "text")),
  other(good("unit_config.weight_per_unit", "integer")),
];

const BY_NAME: ReadonlyMap<string, GoodColumn> = new Map(GOOD_COLUMNS.map((column) => [column.name, column]));

export function goodColumn(name: string): GoodColumn | undefined {
  return BY_NAME.get(name);
}
