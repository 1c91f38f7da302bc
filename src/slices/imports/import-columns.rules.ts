import { WorkFailed } from "../../core/jobs/sheet-work.js";
import type { Cell } from "../../core/sheets/sheet.js";
import { goodColumn, type GoodColumn } from "../goods/good-columns.js";
import { columnOfHeader, isOfWooCommerce, isSecondChoice, plainHeader } from "../goods/good-headers.js";
import type { ImportOptions, SheetProfile } from "./import-options.rules.js";
import { variantLayout } from "./variant-layout.rules.js";

/** A column of a sheet, and the field that it fills; `null` for one that is ignored. */
export interface ImportColumn {
  /** Its letters, such as `A`. */
  readonly column: string;
  readonly header: string;
  readonly field: string | null;
  /** Says whether the header alone says so. */
  readonly isProposed: boolean;
}

/** Fields of which one alone can fill a good, unless both are amounts of the same: an export has both. */
const SAME: readonly (readonly string[])[] = [
  ["price", "price_e2"],
  ["compare_at_price", "compare_at_price_e2"],
  ["provider_fee", "provider_fee_e2"],
  ["branch_price", "branch_price_e2"],
  ["short_details", "summary"],
];

/** The headers that the cells of a row are. */
export function headersOf(cells: readonly Cell[]): string[] {
  return cells.map((cell) => (typeof cell === "string" ? cell.trim() : ""));
}

/**
 * Finds what the columns hold: as the mapping says, else by their headers, of which the first that fits a field has it. One
 * such as "Sale price" has it only when there is no other.
 *
 * @param texts the header of each column of the sheet, an empty text where it has none.
 * @param profile the program that wrote the sheet; `null` where its headers say so.
 * @throws WorkFailed when the mapping names a column that is not there.
 */
export function findColumns(
  texts: readonly string[],
  mapping: ImportOptions["mapping"],
  ofBranch: boolean,
  profile: SheetProfile | null,
): ImportColumn[] {
  const mapped = new Map<number, string | null>();
  for (const { column, field } of mapping) {
    const index = indexOf(texts, column);
    if (index === null)
      throw new WorkFailed(`The mapping names the column ${column}, which the sheet does not have.`);
    mapped.set(index, field);
  }
  const assigned = new Set([...mapped.values()].flatMap((field) => (field === null ? [] : sameAs(field))));
  const filled = new Set<string>();
  const proposals = new Map<number, string>();
  const indexes = [...texts.keys()].filter((index) => !mapped.has(index));
  const hasIdsOfOthers = isWooCommerces(texts, profile);
  const isSecond = (index: number): boolean => isSecondChoice(texts[index] ?? "");
  for (const index of [...indexes.filter((at) => !isSecond(at)), ...indexes.filter(isSecond)]) {
    const proposed = columnOfHeader(texts[index] ?? "");
    if (proposed === "id" && hasIdsOfOthers) continue;
    if (proposed === null || assigned.has(proposed) || !isOpen(goodColumn(proposed), ofBranch)) continue;
    if (isSecond(index) && sameAs(proposed).some((field) => filled.has(field))) continue;
    for (const field of isAmount(proposed) ? [proposed] : sameAs(proposed)) assigned.add(field);
    filled.add(proposed);
    proposals.set(index, proposed);
  }
  return texts.map((header, index): ImportColumn => {
    const known = mapped.get(index);
    const field = known === undefined ? (proposals.get(index) ?? null) : known;
    return { column: lettersOf(index), header, field, isProposed: known === undefined };
  });
}

/** Whether WooCommerce wrote a sheet, with ids of its own: by its variants, too, whatever the language of the headers. */
function isWooCommerces(texts: readonly string[], profile: SheetProfile | null): boolean {
  if (profile !== null) return profile === "woocommerce";
  return texts.some(isOfWooCommerce) || variantLayout(texts, null)?.kind === "parent";
}

function isOpen(column: GoodColumn | undefined, ofBranch: boolean): boolean {
  return column !== undefined && (ofBranch || column.of !== "branchGood");
}

function isAmount(field: string): boolean {
  return ["amount", "integer"].includes(goodColumn(field)?.kind ?? "");
}

function sameAs(field: string): readonly string[] {
  return SAME.find((fields) => fields.includes(field)) ?? [field];
}

/** @throws WorkFailed when no column fills a field. */
export function assertKnownColumn(columns: readonly ImportColumn[]): void {
  if (columns.every(({ field }) => field === null))
    throw new WorkFailed(
      "No header in row 1 is known: name the columns in the mapping, or take away the rows above the headers.",
    );
}

/** Finds a column of the sheet by its header or else by its letters. */
export function indexOf(headers: readonly string[], name: string): number | null {
  const index = headerOf(headers, name) ?? placeOfLetters(name);
  return index === null || index >= headers.length ? null : index;
}

/** Whether a name may be the letters of a column to the right of the headers, where rows may have cells. */
export function isBeyond(headers: readonly string[], name: string): boolean {
  return headerOf(headers, name) === null && (placeOfLetters(name) ?? -1) >= headers.length;
}

function headerOf(headers: readonly string[], name: string): number | null {
  const exact = headers.indexOf(name);
  if (exact >= 0) return exact;
  const plain = plainHeader(name);
  const alike = plain === "" ? -1 : headers.findIndex((header) => plainHeader(header) === plain);
  return alike >= 0 ? alike : null;
}

function placeOfLetters(name: string): number | null {
  if (!/^[A-Z]{1,3}$/u.test(name)) return null;
  return [...name].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The letters of a column: A, B, … Z, AA, … */
export function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`;
}
