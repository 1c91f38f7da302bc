import { endianness } from "node:os";
import pg from "pg";
import { Prisma } from "../../generated/prisma/client.js";
import { isInt, MAX_BIGINT } from "../../core/integers.js";
import type { Column } from "./model-tables.js";

/**
 * Converts a value for a condition on the column.
 *
 * @returns `undefined` for a value that does not plainly fit the column; Prisma reports such a value in its own
 *   words.
 */
export function columnValue({ type }: Column, value: unknown): unknown {
  switch (type) {
    case "Int":
      return isInt(value) ? value : undefined;
    case "BigInt":
      if (typeof value === "bigint")
        return value <= MAX_BIGINT && value >= -MAX_BIGINT ? String(value) : undefined;
      return Number.isSafeInteger(value) ? value : undefined;
    case "String":
      return typeof value === "string" && !value.includes("\0") ? value : undefined;
    case "Boolean":
      return typeof value === "boolean" ? value : undefined;
    case "DateTime":
      return value instanceof Date && isWritable(value) ? value.toISOString() : undefined;
    case "Decimal":
    case "Float":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    default:
      return undefined;
  }
}

/** Whether PostgreSQL writes the date as JavaScript does; it writes years beyond four digits differently. */
function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const asNumber: Parse = (text) => Number(text);

/** Reads the digits of a whole number that a double holds; V8 calls `Number` of a part of a text outside its compiled code. */
function wholeNumber(text: string): number {
  const isNegative = text.charCodeAt(0) === DASH;
  let value = 0;
  for (let at = isNegative ? 1 : 0; at < text.length; at += 1)
    value = value * 10 + text.charCodeAt(at) - ZERO;
  return isNegative ? -value : value;
}

/** A number of at most so many characters is one that a double holds. */
const LONGEST_SAFE = 15;
const LOWER_HALF = 2 ** 32;
/** One whole number of 64 bits, and its halves: to read it from there takes a fraction of what `BigInt` takes. */
const wide = new BigInt64Array(1);
const halves = new Int32Array(wide.buffer);
const [lower, upper] = endianness() === "LE" ? ([0, 1] as const) : ([1, 0] as const);

const asBigInt: Parse = (text) => {
  if (text.length > LONGEST_SAFE) return BigInt(text);
  const value = wholeNumber(text);
  halves[upper] = Math.floor(value / LOWER_HALF);
  halves[lower] = value;
  return wide[0];
};
const asJson: Parse = (text) => JSON.parse(text) as unknown;
const standard = (oid: number): Parse => pg.types.getTypeParser(oid) as Parse;
const TEXT_ARRAY = 1009;
const VARCHAR_ARRAY = 1015;
const INT_ARRAY = 1007;
const quotedTexts = standard(TEXT_ARRAY);
const asDate = standard(pg.types.builtins.TIMESTAMPTZ);

/** Builds a moment from the digits of `2026-06-01 12:00:00.5+00`, the form that sessions in UTC write. */
const asMoment: Parse = (text) => {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(0) === ZERO || !isInUtc(text)) return asDate(text);
  const fraction = text.length === WHOLE_SECONDS ? 0 : Number(text.slice(20, -3).padEnd(3, "0").slice(0, 3));
  const seconds = (two(text, 11) * 60 + two(text, 14)) * 60 + two(text, 17);
  return new Date(dayOf(text) + seconds * 1_000 + fraction);
};

/** Whether a moment ends in `+00`; `endsWith` takes as long as all the rest. */
function isInUtc(text: string): boolean {
  const { length } = text;
  return (
    text.charCodeAt(length - 1) === ZERO &&
    text.charCodeAt(length - 2) === ZERO &&
    text.charCodeAt(length - 3) === PLUS
  );
}

/**
 * The last day is kept, as its digits in one number and as its beginning: that takes longest to find, and moments of one answer
 * often share their day.
 */
let lastDay = NaN;
let lastDayBegins = NaN;

/** Returns the beginning of the day of a moment, in milliseconds since 1970-01-01 (UTC). */
function dayOf(text: string): number {
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const dayOfMonth = two(text, 8);
  const day = (year * 100 + month) * 100 + dayOfMonth;
  if (day !== lastDay) {
    lastDayBegins = Date.UTC(year, month - 1, dayOfMonth);
    lastDay = day;
  }
  return lastDayBegins;
}

/** The beginning of a day in UTC. */
const asDay: Parse = (text) => new Date(`${text}T00:00:00Z`);

const PLUS = 43;
const DASH = 45;
const ZERO = 48;
const WHOLE_SECONDS = "2026-06-01 12:00:00+00".length;

function two(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** Splits `{one,two}`. A text with quotes or with the word NULL goes to the slower parser of `pg`. */
const asTexts: Parse = (text) => {
  if (text === "{}") return [];
  return text.includes('"') || text.includes("NULL") ? quotedTexts(text) : text.slice(1, -1).split(",");
};

const { builtins } = pg.types;
const asBuffer = standard(builtins.BYTEA);
const asBytes: Parse = (text) => new Uint8Array(asBuffer(text) as Buffer);

/** The parsers of column values by the OID of the type; they give the same values as Prisma. */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [builtins.BOOL, (text) => text === "t"],
  [builtins.INT2, wholeNumber],
  [builtins.INT4, wholeNumber],
  [builtins.INT8, asBigInt],
  [builtins.FLOAT4, asNumber],
  [builtins.FLOAT8, asNumber],
  [builtins.NUMERIC, (text) => new Prisma.Decimal(text)],
  [builtins.BYTEA, asBytes],
  [builtins.TEXT, asText],
  [builtins.VARCHAR, asText],
  [builtins.UUID, asText],
  [builtins.JSON, asJson],
  [builtins.JSONB, asJson],
  [builtins.TIMESTAMPTZ, asMoment],
  [builtins.DATE, asDay],
  [TEXT_ARRAY, asTexts],
  [VARCHAR_ARRAY, asTexts],
  [INT_ARRAY, standard(INT_ARRAY)],
]);

/**
 * Returns the parser of the values of a type by its OID.
 *
 * @throws Error for a type that no column of the schema has had so far: add its parser above.
 */
export function parserOf(type: number): Parse {
  const parse = PARSERS.get(type);
  if (parse === undefined) throw new Error(`values of type ${type} are not known to simple reads`);
  return parse;
}

/** Writes bytes as the text that PostgreSQL reads. */
export function bytesText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** Writes a list as the text that is bound to `= ANY(…)`. */
export function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map(arrayItem).join()}}`;
}

function arrayItem(item: unknown): string {
  if (typeof item === "string") return quoted(item);
  if (item instanceof Date) return quoted(item.toISOString());
  if (item instanceof Uint8Array) return quoted(bytesText(item));
  return Array.isArray(item) ? arrayLiteral(item) : String(item);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/gu, "\\$&")}"`;
}

/** Writes a value of any kind as the text that is bound to a parameter whose type the statement names. */
export function boundValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (
    value === undefined ||
    (typeof value === "object" && value !== null && !Prisma.Decimal.isDecimal(value))
  )
    throw new TypeError(`a value of type ${typeof value} cannot be bound`);
  return value;
}
