import type { FieldError } from "../../core/errors/domain-error.js";
import { pictureKeyIn } from "../../core/files/picture-key.js";
import { isLongerThan } from "../../core/inputs/text.js";
import { camelCaseOf } from "../../core/names.js";
import { EMPTIES } from "../../core/sheets/guarded-text.js";
import type { CellError, SheetRow } from "../../core/sheets/sheet.js";
import type { GoodChange } from "../goods/good-batch.service.js";
import { inOneLine, plainCell, readCell, type DecimalSign } from "../goods/good-cell.rules.js";
import { goodColumn, type GoodColumn } from "../goods/good-columns.js";
import { isHandle } from "../goods/good-headers.js";
import type { SecondAmount } from "../goods/good-twins.rules.js";
import { MOST_PICTURES, tooManyPictures } from "../goods/good-picture.rule.js";
import type { GoodVariants } from "../properties/good-variants.service.js";
import { readVariants } from "./variant-cell.rules.js";
import type { ImportColumn } from "./import-columns.rules.js";

/** What is wrong with a row. */
export interface RowError {
  readonly row: number;
  readonly column: string | null;
  readonly header: string | null;
  readonly field: string | null;
  readonly rule: string;
  readonly message: string;
}

/** A row of a sheet as a good, or what is wrong with it. */
export interface ReadRow {
  readonly row: number;
  readonly change: GoodChange;
  /** The values of the columns of categories. */
  readonly categories: readonly string[];
  readonly categoryNames: readonly string[];
  readonly errors: readonly RowError[];
  readonly pictures: readonly PictureOfRow[];
  /** What is wrong with cells that cost the row nothing else. */
  readonly notes: readonly RowError[];
  /** Whether the row is of a deleted good, which an import leaves alone. */
  readonly isDeleted: boolean;
  /** The properties with options that its good has; `null` where the sheet says nothing of them. */
  readonly variants: GoodVariants | null;
  /** How many rows of the sheet it stands for: none where another row of the same good does. */
  readonly rows: number;
}

/** A picture that a row names. */
export interface PictureOfRow {
  readonly isVertical: boolean;
  readonly url: string;
  readonly row: number;
  readonly column: string | null;
  readonly header: string | null;
  readonly field: string;
}

/** Checks an input by the rules of an operation, and normalises its texts in place. */
export type CheckInput = (
  operation: "updateGood" | "updateBranchGood",
  input: object,
) => readonly FieldError[];

/** The URL of the picture of a row; `null` for a row without one. */
export type HostImage = (row: SheetRow) => string | null;

const MOST_URL = 1024;
const MOST_ID = 2 ** 31 - 1;
const empties = (cell: string): boolean => cell.trim() === EMPTIES;

/** What counts of a row whose good another row names. */
const OF_PARTS: ReadonlySet<string> = new Set([
  "priceE2",
  "compareAtPriceE2",
  "barcodes",
  "stock",
  "pictures",
  "verticalPictures",
]);
const CODES: ReadonlySet<string> = new Set(["sku", "barcodes"]);
/** A long number as spreadsheets show it in a narrow column, and write it into a text: most of its digits are lost. */
const ROUNDED = /^\d[.,]\d{1,14}E\+\d{2}$/u;
const ROUNDED_CODE = {
  rule: "type",
  message: "is a number that a spreadsheet has rounded: it must be written as a text there",
};

interface Filled extends ImportColumn {
  readonly field: string;
  readonly index: number;
  readonly good: GoodColumn;
}

/** Reads the rows of one sheet. */
export class RowReader {
  private readonly filled: readonly Filled[];
  private readonly skuColumn: Filled | undefined;
  private readonly nameColumn: Filled | undefined;
  private readonly deletionColumn: Filled | undefined;
  private readonly idColumns: readonly Filled[];
  private readonly isOfShopify: boolean;
  /** The row that had each good first; by its sku or its name also whether it had an id besides. */
  private readonly seen = new Map<string, { readonly row: number; readonly hasId: boolean }>();

  constructor(
    columns: readonly ImportColumn[],
    private readonly check: CheckInput,
    private readonly decimal: DecimalSign | null,
    private readonly hostImage: HostImage | null = null,
    isOfShopify = false,
  ) {
    this.filled = columns.flatMap((column, index) => {
      const { field } = column;
      const good = field === null ? undefined : goodColumn(field);
      return good === undefined || field === null ? [] : [{ ...column, field, index, good }];
    });
    this.isOfShopify = isOfShopify || columns.some(({ header }) => isHandle(header));
    this.skuColumn = this.filled.find(({ field }) => field === "sku");
    this.nameColumn = this.filled.find(({ field }) => field === "name");
    this.idColumns = this.filled.filter(({ field }) => field === "id" || field === "external_id");
    this.deletionColumn = this.filled.find(({ good }) => good.of === "deletion");
  }

  /** Notes which good a row is of, when what it holds has been done before. @returns the earlier row of the same good. */
  note(row: SheetRow): number | null {
    if (this.isDeleted(row)) return null;
    const ids = this.idColumns.flatMap((column) => {
      const id = this.textOf(row, column);
      return id === null ? [] : [`${column.field} ${id}`];
    });
    const sku = this.textOf(row, this.skuColumn);
    const name = this.textOf(row, this.nameColumn);
    const key = sku !== null ? `sku ${sku}` : name !== null ? `name ${name}` : null;
    const hasId = ids.length > 0;
    // Goods that share a sku or a name are told apart by their ids.
    const same = key === null ? undefined : this.seen.get(key);
    const earlier =
      ids.map((id) => this.seen.get(id)).find((one) => one !== undefined) ??
      (same !== undefined && !(hasId && same.hasId) ? same : undefined);
    if (earlier !== undefined) return earlier.row;
    for (const one of [...ids, ...(key === null || same !== undefined ? [] : [key])])
      this.seen.set(one, { row: row.number, hasId });
    return null;
  }

  /** @param isPart whether another row says which good it is of. */
  read(row: SheetRow, { isPart = false } = {}): ReadRow {
    if (this.isDeleted(row)) return deletedRow(row.number);
    const errors: RowError[] = [];
    const good: Record<string, unknown> = {};
    const branchGood: Record<string, unknown> = {};
    const second = {
      good: {} as Record<string, SecondAmount>,
      branchGood: {} as Record<string, SecondAmount>,
    };
    const parts: { unitConfig?: GoodChange["unitParts"] } = {};
    const categories: Record<string, readonly string[]> = {};
    const pictures: PictureOfRow[] = [];
    const notes: RowError[] = [];
    let id: number | null = null;
    let variants: GoodVariants | null = null;
    for (const column of this.filled) {
      const cell = row.cells[column.index] ?? null;
      if (cell === null || (isPart && !OF_PARTS.has(column.good.path[0] ?? ""))) continue;
      const read = typeof cell === "string" ? this.readText(column, cell) : unreadable(cell);
      if (read === null) continue;
      if ("wrong" in read) errors.push(errorOf(row.number, column, read.wrong));
      else if (column.good.of === "id") id = knownId(read.value as number);
      else if (column.good.of === "variants") variants = read.value as GoodVariants;
      else if (column.good.of === "pictures")
        this.addPictures(row.number, column, read.value as unknown[], { pictures, notes });
      else if (column.good.of === "categories") categories[column.field] = read.value as string[];
      else if (column.good.of !== "deletion") {
        const { of, path } = column.good;
        const first = of === "good" ? good : branchGood;
        const [key = ""] = path;
        if (path.length > 1) put(parts, path, read.value);
        else if (!(key in first)) put(first, path, read.value);
        else if (first[key] !== read.value) second[of][key] = this.secondAmount(column, read.value);
      }
    }
    const hostUrl = this.hostImage?.(row) ?? null;
    if (hostUrl !== null) {
      const place = { column: null, header: null, field: "picture_urls" };
      this.addPictures(row.number, place, [hostUrl], { pictures, notes });
    }
    errors.push(
      ...this.checked(row.number, "good", good),
      ...this.checked(row.number, "branchGood", branchGood),
      ...this.checked(row.number, "good", amountsOf(second.good)),
      ...this.checked(row.number, "branchGood", amountsOf(second.branchGood)),
      // Which of the others are required is known when the good is.
      ...this.checked(row.number, "good", parts).filter(({ rule }) => rule !== "required"),
    );
    const earlier = isPart ? null : this.note(row);
    if (earlier !== null) errors.push(this.repeated(row, earlier));
    const sku = (good["sku"] as string | undefined) ?? null;
    const name = (good["name"] as string | undefined) ?? null;
    const hasId = id !== null || good["externalId"] != null;
    if (sku === null && name === null && !hasId && !isPart && errors.length === 0)
      errors.push(this.errorAt(row.number, "sku", "required", "is required, or the name"));
    const unitParts = parts.unitConfig ?? null;
    const change = { id, sku, name, good, branchGood, second, unitParts, categoryIds: [] };
    const { categories: values = [], category_names: categoryNames = [] } = categories;
    const ofCategories = { categories: values, categoryNames };
    return {
      row: row.number,
      change,
      ...ofCategories,
      errors,
      pictures,
      notes,
      isDeleted: false,
      variants,
      rows: 1,
    };
  }

  /** What the second column of an amount says. */
  private secondAmount(column: Filled, value: unknown): SecondAmount {
    const { of, path } = column.good;
    const first = this.filled.find(
      (other) => other !== column && other.good.of === of && other.good.path[0] === path[0],
    );
    return { value, column: column.field, first: (first ?? column).field };
  }

  private isDeleted(row: SheetRow): boolean {
    return this.textOf(row, this.deletionColumn) !== null;
  }

  /** The text by which a row names its good; `null` for a blank cell. */
  private textOf(row: SheetRow, column: Filled | undefined): string | null {
    const cell = column === undefined ? null : row.cells[column.index];
    if (column === undefined || typeof cell !== "string") return null;
    const written = this.written(column, cell);
    const text = inOneLine(plainCell(written));
    return text === "" || empties(written) ? null : text;
  }

  /** A cell without the apostrophe that Shopify writes before codes, so that spreadsheets take them for texts. */
  private written({ field }: Filled, cell: string): string {
    return this.isOfShopify && CODES.has(field) ? cell.replace(/^\s*'/u, "") : cell;
  }

  private addPictures(
    row: number,
    { column, header, field }: { column: string | null; header: string | null; field: string },
    urls: readonly unknown[],
    { pictures, notes }: { pictures: PictureOfRow[]; notes: RowError[] },
  ): void {
    const place = { row, column, header: header === "" ? null : header, field };
    for (const [index, url] of urls.entries()) {
      const wrong = index < MOST_PICTURES ? wrongUrl(url) : tooManyPictures(field);
      if (wrong === null)
        pictures.push({ ...place, isVertical: field === "vertical_picture_urls", url: url as string });
      else notes.push({ ...place, rule: wrong.rule, message: wrong.message });
      if (index === MOST_PICTURES) break;
    }
  }

  /** Returns what the rules of a good found wrong, by the columns that hold it; a field may be a column's name. */
  rowError(row: number, { field, rule, message }: FieldError, of: GoodColumn["of"] = "good"): RowError {
    const column = this.filled.find(
      ({ field: name, good }) =>
        name === field ||
        ((good.of === of || good.of === "id") &&
          (field === good.path.join(".") || field.startsWith(`${good.path.join(".")}[`))),
    );
    const whole =
      column ?? this.filled.find(({ good }) => good.of === of && good.path[0] === field.split(/[.[]/u)[0]);
    const at = whole ?? { column: null, header: "" };
    return errorOf(row, { ...at, field: column?.field ?? snakeCase(field) }, { rule, message });
  }

  private readText(column: Filled, cell: string): ReturnType<typeof readCell> | null {
    const written = this.written(column, cell);
    if (plainCell(written) === "") return null;
    if (empties(written)) return emptied(column.good);
    if (CODES.has(column.field) && ROUNDED.test(plainCell(written))) return { wrong: ROUNDED_CODE };
    const read = readCell(column.good.kind, written, this.decimal);
    if (column.good.of === "variants") return "value" in read ? readVariants(read.value) : read;
    // Other programs write words such as "simple" under this header.
    if (column.good.kind === "goodType" && column.isProposed && "wrong" in read) return null;
    return column.good.kind === "json" && "value" in read ? { value: camelKeys(read.value) } : read;
  }

  private checked(row: number, of: "good" | "branchGood", input: Record<string, unknown>): RowError[] {
    if (Object.keys(input).length === 0) return [];
    const operation = of === "good" ? "updateGood" : "updateBranchGood";
    return this.check(operation, input).map((error) => this.rowError(row, error, of));
  }

  private repeated(row: SheetRow, earlier: number): RowError {
    const named = [...this.idColumns, this.skuColumn].find((column) => this.textOf(row, column) !== null);
    const field = named?.good.path.join(".") ?? "name";
    return this.errorAt(
      row.number,
      field,
      "unique",
      `names the good of row ${earlier}; each good has one row`,
    );
  }

  private errorAt(row: number, field: string, rule: string, message: string): RowError {
    return this.rowError(row, { field, rule, message });
  }
}

/** An id as the database holds them; 0, which nothing has, for any other number. */
function knownId(id: number): number {
  return id > 0 && id <= MOST_ID ? id : 0;
}

function emptied({ of, empty }: GoodColumn): ReturnType<typeof readCell> | null {
  if (of === "good" || of === "branchGood") return { value: empty };
  if (of === "id" || of === "deletion") return null;
  return { wrong: { rule: "required", message: "cannot be emptied by an import" } };
}

/** A row that another one stands for. */
export function followingRow(row: number): ReadRow {
  return { ...deletedRow(row), rows: 0 };
}

function deletedRow(row: number): ReadRow {
  const nothing = { good: {}, branchGood: {} };
  const change = {
    ...{ id: null, sku: null, name: null, ...nothing, second: nothing },
    ...{ unitParts: null, categoryIds: [] },
  };
  const others = { categories: [], categoryNames: [], errors: [], pictures: [], notes: [] };
  return { row, change, ...others, isDeleted: true, variants: null, rows: 1 };
}

function wrongUrl(url: unknown): { rule: string; message: string } | null {
  if (typeof url !== "string") return { rule: "type", message: "must be a URL" };
  if (isLongerThan(url, MOST_URL))
    return { rule: "max_length", message: `must have at most ${MOST_URL} characters` };
  const isFetched = /^https?:\/\//iu.test(url) && URL.canParse(url);
  return isFetched || pictureKeyIn(url) !== null
    ? null
    : { rule: "url", message: "must be a URL that begins with https:// or http://" };
}

function unreadable({ error, rule }: CellError): { wrong: { rule: string; message: string } } {
  return {
    wrong:
      rule === undefined ? { rule: "type", message: `holds the error ${error}` } : { rule, message: error },
  };
}

function errorOf(
  row: number,
  { column, header, field }: Pick<RowError, "column" | "field"> & { readonly header: string },
  { rule, message }: { rule: string; message: string },
): RowError {
  return { row, column, header: header === "" ? null : header, field, rule, message };
}

function amountsOf(second: Readonly<Record<string, SecondAmount>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(second).map(([field, { value }]) => [field, value]));
}

/** Puts a value in an input; part of an object makes the object. */
function put(input: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) input[first] = value;
  else put((input[first] ??= {}) as Record<string, unknown>, rest, value);
}

function camelKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camelCaseOf(key), item as unknown]));
}

function snakeCase(field: string): string {
  return field.replace(/(?<=[a-z0-9])[A-Z]+[0-9]*/gu, (part) => `_${part.toLowerCase()}`);
}
