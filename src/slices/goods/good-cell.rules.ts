import type { FieldError } from "../../core/errors/domain-error.js";
import { unguarded } from "../../core/sheets/guarded-text.js";
import type { CellKind } from "./good-columns.js";

/** What is wrong with a cell, as the rules of fields put it. */
export interface WrongCell {
  readonly rule: string;
  readonly message: string;
}

/** A read cell: its value, or what is wrong with it. */
export type ReadCell = { readonly value: unknown } | { readonly wrong: WrongCell };

/** The sign that separates decimals where a text leaves it open. */
export type DecimalSign = "." | ",";

const TRUE = words(
  "true yes y 1 x on ja j wahr oui vrai si sí sì verdadero sim verdadeiro vero tak prawda t waar",
);
const FALSE = words("false no n 0 off nein falsch non faux não nao falso nie fałsz f nee onwaar");
const SEPARATORS = /[,;|\n]/u;
/** URLs may have commas and semicolons within. */
const BETWEEN_URLS = /\s*\|\s*|\s*[,;](?:\s+|(?=https?:|\/))|\s+/iu;
const MOST_SHORT = 64;
/** No number, amount or switch is longer; the patterns that read one are not for texts of any length. */
const MOST_OF_A_VALUE = 100;

/** A text as cells mean it. */
export function plainCell(text: string): string {
  return unguarded(text).normalize("NFC").trim();
}

/** Reads a cell that is not blank. */
export function readCell(kind: CellKind, cell: string, decimal: DecimalSign | null): ReadCell {
  const text = plainCell(cell);
  switch (kind) {
    case "text":
      return { value: inOneLine(text) };
    case "lines":
      return { value: text };
    case "texts":
      return readTexts(text);
    case "urls":
      return readUrls(text);
    case "summary":
      return { value: shortened(text) };
    case "json":
      return readJson(text);
    default:
      return readValue(kind, text.length > MOST_OF_A_VALUE ? "" : text, decimal);
  }
}

function readValue(kind: CellKind, text: string, decimal: DecimalSign | null): ReadCell {
  switch (kind) {
    case "boolean":
      return readBoolean(text);
    case "integer":
    case "goodType":
      return readInteger(text);
    case "amount":
      return readScaled(text, { decimals: 2, decimal });
    case "fraction":
      return readFraction(text, decimal);
    default:
      return readDecimal(text, decimal);
  }
}

/** A text with a space in the place of its line breaks and tabs, which other programs allow within a name. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/gu, (space) => (/[\t-\r\u0085\u2028\u2029]/u.test(space) ? " " : space));
}

function readTexts(text: string): ReadCell {
  if (text.startsWith("[")) {
    const { value } = readJson(text) as { value?: unknown };
    if (Array.isArray(value)) return { value };
  }
  const parts = text.split(SEPARATORS).map((part) => part.trim());
  return { value: [...new Set(parts.filter((part) => part !== ""))] };
}

function readUrls(text: string): ReadCell {
  if (text.startsWith("[")) return readTexts(text);
  return { value: [...new Set(text.split(BETWEEN_URLS).filter((part) => part !== ""))] };
}

/** The first words of a text, without marks of HTML, in one line of at most 64 characters. */
export function shortened(text: string): string {
  const line = text
    .replace(/<[^<>]*>/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
  const characters = [...line];
  if (characters.length <= MOST_SHORT) return line === "" ? text.slice(0, MOST_SHORT) : line;
  const cut = characters.slice(0, MOST_SHORT - 1).join("");
  const atWord = cut.replace(/\s+\S*$/u, "");
  return `${atWord === "" ? cut : atWord}…`;
}

/** Returns what a new good lacks. */
export function missingOf(values: { readonly name?: unknown; readonly priceE2?: unknown }): FieldError[] {
  return (["name", "priceE2"] as const)
    .filter((field) => values[field] === undefined)
    .map((field) => ({ field, rule: "required", message: "is required for a new good" }));
}

function readBoolean(text: string): ReadCell {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return { value: true };
  if (FALSE.has(word)) return { value: false };
  return wrong("type", "must be yes or no");
}

function readJson(text: string): ReadCell {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return wrong("type", "must be JSON");
  }
}

function readInteger(text: string): ReadCell {
  const digits = /^(?<number>[+-]?\d+)(?:[.,]0+)?$/u.exec(text)?.groups?.["number"];
  return digits === undefined ? wrong("type", "must be a whole number") : { value: Number(digits) };
}

/** Reads a decimal number as a whole number of its last decimals, without binary fractions on the way. */
function readScaled(
  text: string,
  { decimals, decimal }: { decimals: number; decimal: DecimalSign | null },
): ReadCell {
  const number = plainDecimal(text, decimal);
  if (number === null) return wrong("type", "must be an amount such as 12.34 or 1.234,56 €");
  const [whole = "", fraction = ""] = number.split(".");
  if (fraction.length > decimals) return wrong("decimals", `must have at most ${decimals} decimals`);
  return { value: Number(`${whole}${fraction.padEnd(decimals, "0")}`) };
}

function readFraction(text: string, decimal: DecimalSign | null): ReadCell {
  const isPercent = text.endsWith("%");
  const number = plainDecimal(isPercent ? text.slice(0, -1) : text, decimal);
  if (number === null) return wrong("type", "must be a fraction such as 0.03, or a percentage such as 3%");
  if (!isPercent) return { value: Number(number) };
  return { value: Number(`${number}e-2`) };
}

function readDecimal(text: string, decimal: DecimalSign | null): ReadCell {
  const number = plainDecimal(text, decimal);
  return number === null ? wrong("type", "must be a number") : { value: Number(number) };
}

/**
 * A number with a currency and groups of thousands, as `-?digits(.digits)?` without zeros at its end; `null` for what is no
 * number. Of a comma and a point the last one separates decimals. One that comes alone and several times separates
 * thousands, and so does a comma before exactly three digits. A dash may stand for no hundredths, as in "5,-".
 */
function plainDecimal(text: string, decimal: DecimalSign | null): string | null {
  const bare = text
    .replace(/^\s*(?<sign>[+-]?)\s*(?:[A-Za-z]{0,3}\p{Sc}|[A-Za-z]{1,3}\.?\s|[A-Z]{3}|S\/\.?|Rs\.)\s*/u, "$1")
    .replace(/\s*(?:[A-Za-z]{0,3}\p{Sc}|[A-Za-z]{1,3}\.?|zł|Kč)\s*$/u, "")
    .replace(/(?<=\d)(?<mark>[.,])\s?[-–—]{1,2}$/u, "$<mark>00")
    .replace(/(?<=\d)[\s'’\u00a0\u202f](?=\d{3})/gu, "");
  const found = /^(?<sign>[+-]?)(?<number>\d[\d.,]*|[.,]\d+)$/u.exec(bare)?.groups;
  if (found === undefined) return null;
  const { sign, number = "" } = found;
  const mark = decimal ?? decimalSignOf(number);
  const thousands = mark === "," ? "." : ",";
  const [whole = "", ...rest] = number.split(mark ?? "\u0000");
  if (rest.length > 1) return null;
  const groups = whole.split(thousands);
  const isGrouped = groups.length === 1 || groups.slice(1).every((group) => group.length === 3);
  const fraction = rest[0] ?? "";
  if (!isGrouped || /[^\d]/u.test(fraction) || /[^\d]/u.test(groups.join(""))) return null;
  const significant = fraction.replace(/0+$/u, "");
  const digits = groups.join("").replace(/^0+(?=\d)/u, "") || "0";
  return `${sign === "-" ? "-" : ""}${digits}${significant === "" ? "" : `.${significant}`}`;
}

/** The sign that separates the decimals of a number; `null` when it has none. */
function decimalSignOf(number: string): DecimalSign | null {
  const [point, comma] = [number.lastIndexOf("."), number.lastIndexOf(",")];
  if (point >= 0 && comma >= 0) return point > comma ? "." : ",";
  if (point >= 0) return number.indexOf(".") === point ? "." : ",";
  if (comma < 0) return null;
  const isThousands = number.indexOf(",") !== comma || /^[1-9]\d{0,2},\d{3}$/u.test(number);
  return isThousands ? "." : ",";
}

function wrong(rule: string, message: string): ReadCell {
  return { wrong: { rule, message } };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
