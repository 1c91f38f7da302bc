import { BEYOND_NUMBERS, keptInteger } from "../../core/scalars/json.js";

/** What may be a number with more digits than are kept, or one that is so small that nothing is left of it. */
const MAY_LOSE = /\d[\d.]{15,}|[eE]-\d{3}/u;
const TEXT_OR_NUMBER =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?/gsu;

/**
 * JSON in which each number that would be read as another one, an integer, is a text: 4503599627370496.4 has a fraction that
 * a floating-point number cannot keep, and would pass for the integer. As a text it is refused where an integer is wanted,
 * and read with all its digits where a decimal number is. One that is too small for a floating-point number, and would pass for 0, is
 * read as one beyond its bounds, which is refused everywhere; so is an integer that would be read as another one.
 */
export function withExactNumbers(json: string): string {
  if (!MAY_LOSE.test(json)) return json;
  return json.replaceAll(TEXT_OR_NUMBER, (token, ...found) => {
    const { fraction = "", exponent = "0" } = found.at(-1) as { fraction?: string; exponent?: string };
    if (token.startsWith('"') || !Number.isInteger(Number(token))) return token;
    if (isInteger(token, fraction, Number(exponent))) return keptInteger(token);
    return Number(token) === 0 ? BEYOND_NUMBERS : `"${token}"`;
  });
}

/** Whether the digits of a number say that it is an integer. */
function isInteger(token: string, fraction: string, exponent: number): boolean {
  const digits = /^-?(?<whole>\d+)/u.exec(token)?.groups?.["whole"] ?? "";
  const all = digits + fraction;
  const kept = all.replace(/0+$/u, "").length;
  // Digits behind the point when the exponent has moved it.
  return kept === 0 || kept - digits.length <= exponent;
}
