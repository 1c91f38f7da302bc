import type { Cell } from "../../core/sheets/sheet.js";

const MOST_DIGITS = 15;
const SECONDS_PER_DAY = 86_400;
/** The last day that Excel knows, 9999-12-31, in days since its first. */
const LAST_DAY = 2_958_465;
/** Excel takes 1900 for a leap year: up to its February 29, which is day 60, days are counted one higher. */
const FALSE_LEAP_DAY = 60;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** A number that is shown as it stands in the file, as most are. */
const PLAIN_NUMBER = /^(?:-?[1-9]\d{0,14}|0|-?(?=[\d.]{1,16}$)(?:0|[1-9]\d*)\.\d*[1-9])$/u;

const WHOLE_NUMBER = /^-?[1-9]\d*$/u;
/** A number below this has two decimals among its first 15 digits. */
const HAS_CENTS = 1e13;

/** What a number format makes of a number: a number with so many digits at least, a moment, or a duration. */
export type NumberFormat = number | "moment" | "duration";

/** A number format without leading zeros, dates and times. */
export const PLAIN_FORMAT = 1;

/** Formats that XML spreadsheets know by name, whose letters mean nothing. */
const NAMED: ReadonlyMap<string, NumberFormat> = new Map<string, NumberFormat>([
  ...[
    "general",
    "general number",
    "standard",
    "fixed",
    "currency",
    "euro currency",
    "percent",
    "scientific",
  ].map((name) => [name, PLAIN_FORMAT] as const),
  ...["yes/no", "true/false", "on/off"].map((name) => [name, PLAIN_FORMAT] as const),
  ...["general date", "short date", "medium date", "long date"].map((name) => [name, "moment"] as const),
  ...["short time", "medium time", "long time"].map((name) => [name, "duration"] as const),
]);

const known = new Map<string, NumberFormat>();
const MOST_KNOWN = 1_000;

/** Reads a number format such as `yyyy-mm-dd`, `[h]:mm` or `00000`. */
export function readFormat(code: string): NumberFormat {
  const found = known.get(code);
  if (found !== undefined) return found;
  const format = compileFormat(code);
  if (known.size < MOST_KNOWN) known.set(code, format);
  return format;
}

function compileFormat(code: string): NumberFormat {
  const named = NAMED.get(code.trim().toLowerCase());
  if (named !== undefined) return named;
  const [section = ""] = code
    .slice(0, 255)
    .replace(/"[^"]*"|\\.|_.|\*./gu, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/giu, "")
    .split(";");
  if (/^0+(?:\.0+)?$/u.test(section)) return section.split(".")[0]?.length ?? PLAIN_FORMAT;
  if (/general|standard|@/iu.test(section)) return PLAIN_FORMAT;
  const letters = section.replace(/am\/pm|a\/p/giu, "h").replace(/e[+-]/giu, "");
  if (/\[(?:h+|m+|s+)\]/iu.test(letters)) return "duration";
  if (/[yd]|m{3}/iu.test(letters)) return "moment";
  if (/[hs]/iu.test(letters)) return "duration";
  return /m/iu.test(letters) ? "moment" : PLAIN_FORMAT;
}

/** Formats that Excel knows by number alone. */
export function builtInFormat(id: number): NumberFormat {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) {
    return "moment";
  }
  return (id >= 18 && id <= 21) || (id >= 45 && id <= 47) ? "duration" : PLAIN_FORMAT;
}

/**
 * Shows a number of a sheet.
 *
 * @param text as it stands in the file.
 * @param from1904 whether days are counted from 1904.
 */
export function showNumber(text: string, format: NumberFormat, from1904: boolean): Cell {
  if (typeof format === "number") {
    return format <= PLAIN_FORMAT && PLAIN_NUMBER.test(text) ? text : padded(plainNumber(text), format);
  }
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value)) return text === "" ? null : text;
  return (format === "moment" ? showMoment(value, from1904) : showDuration(value)) ?? plainNumber(text);
}

/**
 * Returns a number as a plain decimal of at most 15 digits, which leaves out what double precision adds; a whole number is returned
 * with all of its digits, and a larger one with those that tell it from its neighbours. A text that is no number is returned as it is.
 */
export function plainNumber(text: string): string {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value) || WHOLE_NUMBER.test(text)) return text;
  if (value === 0) return "0";
  const digitsAfter = Math.abs(value) < HAS_CENTS ? MOST_DIGITS - 1 : undefined;
  const [mantissa = "", exponent = "0"] = value.toExponential(digitsAfter).split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/gu, "").replace(/0+$/u, "");
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (digits.length <= point) return sign + digits.padEnd(point, "0");
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Adds leading zeros until the number has so many digits before its point. */
export function padded(number: string, digits: number): string {
  if (digits <= 1 || !/^-?\d/u.test(number)) return number;
  const sign = number.startsWith("-") ? "-" : "";
  const [whole = "", ...rest] = number.slice(sign.length).split(".");
  return sign + [whole.padStart(digits, "0"), ...rest].join(".");
}

function showMoment(value: number, from1904: boolean): string | null {
  const days = from1904 ? value + DAYS_TO_1904 : value;
  if (days < 0 || days >= LAST_DAY + 1) return null;
  if (days < 1) return showDuration(days);
  const seconds = Math.round((days < FALSE_LEAP_DAY ? days + 1 : days) * SECONDS_PER_DAY);
  const iso = new Date(EPOCH_1900 + seconds * 1_000).toISOString();
  return seconds % SECONDS_PER_DAY === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

function showDuration(days: number): string | null {
  const seconds = Math.round(Math.abs(days) * SECONDS_PER_DAY);
  if (!Number.isSafeInteger(seconds)) return null;
  const two = (number: number): string => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  return `${days < 0 ? "-" : ""}${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Shows `2024-01-31T10:20:30.000`, in which the time may be absent. A text of another form stays. */
export function showIsoMoment(text: string): string {
  const found = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?(?:[.,]\d+)?Z?)?$/u.exec(text.trim());
  if (found === null) return text;
  const [, day = "", minutes, seconds = "00"] = found;
  return minutes === undefined || (minutes === "00:00" && seconds === "00")
    ? day
    : `${day} ${minutes}:${seconds}`;
}

/** Shows `PT12H30M00S` as `12:30:00`. A text of another form stays. */
export function showIsoDuration(text: string): string {
  const found = /^(-?)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:([\d.,]+)S)?$/u.exec(text.trim());
  if (found === null) return text;
  const [, sign = "", ...parts] = found;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number((part ?? "0").replace(",", ".")),
  );
  const total = days + (hours + (minutes + seconds / 60) / 60) / 24;
  return showDuration(sign === "-" ? -total : total) ?? text;
}

export function showBoolean(value: string): string {
  return /^(?:1|true)$/iu.test(value.trim()) ? "TRUE" : "FALSE";
}

/** A text of a cell; NUL, which no database keeps, is left out. */
export function showText(text: string): Cell {
  if (text === "") return null;
  return text.includes("\0") ? text.replaceAll("\0", "") || null : text;
}

const ERROR = /^#(?:N\/A|NAME\?|NULL!|NUM!|DIV\/0!|REF!|VALUE!)$|^Err:\d{3}$/u;

/** Returns whether a text is what programs show where a formula failed. */
export function isError(text: string): boolean {
  return ERROR.test(text);
}
