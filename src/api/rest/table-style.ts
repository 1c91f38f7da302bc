import { isAbsent, type Query } from "./bind-query.js";
import type { WrongParameters } from "./wrong-parameters.js";

/** How the cells of a table are written. */
export interface TableStyle {
  /** What stands between the cells of a text. */
  readonly delimiter: string;
  /** Whether a text begins with a byte order mark, by which spreadsheets know UTF-8. */
  readonly hasBom: boolean;
  /** The sign before decimals. */
  readonly decimal: string;
}

/** The values of `delimiter` with what they stand for. */
const DELIMITERS: Readonly<Record<string, string>> = { ",": ",", ";": ";", "|": "|", tab: "\t", "\t": "\t" };

/** The names of `delimiter` as the reference shows them. */
export const DELIMITER_NAMES = [",", ";", "|", "tab"] as const;
export const DECIMAL_SIGNS = [".", ","] as const;

/** Reads how a query wants a table to be written; what is not known is noted as wrong. */
export function tableStyle({ delimiter, bom, decimals }: Query, wrong: WrongParameters): TableStyle {
  const between = isAbsent(delimiter) ? "," : DELIMITERS[delimiter as string];
  if (between === undefined) wrong.add("delimiter", "enum", `must be ${DELIMITER_NAMES.join(" or ")}`);
  const isBom = isAbsent(bom) || bom === "0" || bom === "1";
  if (!isBom) wrong.add("bom", "enum", "must be 0 or 1");
  const decimal = isAbsent(decimals) ? "." : DECIMAL_SIGNS.find((sign) => sign === decimals);
  if (decimal === undefined) wrong.add("decimals", "enum", `must be ${DECIMAL_SIGNS.join(" or ")}`);
  return { delimiter: between ?? ",", hasBom: bom === "1", decimal: decimal ?? "." };
}
