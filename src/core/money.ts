/** The largest amount that answers can show, in hundredths. */
export const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
const EXPONENT = /e/iu;
/** The powers of ten that are asked for again and again. */
const POWERS = Array.from({ length: 20 }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Reads a decimal number as an integer in steps of 10^-decimals, without passing through binary floating point:
 * `0.0325` with four decimals is 325. Further digits are cut off.
 *
 * @throws RangeError when the text is no decimal number.
 */
export function scaledInteger(text: string, decimals: number): bigint {
  if (!DECIMAL.test(text)) throw new RangeError(`not a decimal number: ${text}`);
  const exponentAt = text.search(EXPONENT);
  const end = exponentAt < 0 ? text.length : exponentAt;
  const pointAt = text.indexOf(".");
  const places = pointAt < 0 ? 0 : end - pointAt - 1;
  const digits = BigInt(
    pointAt < 0 ? text.slice(0, end) : text.slice(0, pointAt) + text.slice(pointAt + 1, end),
  );
  const shift = decimals - places + (exponentAt < 0 ? 0 : Number(text.slice(exponentAt + 1)));
  return shift >= 0 ? digits * powerOfTen(shift) : digits / powerOfTen(-shift);
}

function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/** `amount × part / whole`, rounded half up; none of them negative. */
export function roundedShare(amount: bigint, part: bigint, whole: bigint): bigint {
  return (2n * amount * part + whole) / (2n * whole);
}

/** Writes an integer in steps of 10^-decimals as a decimal number: 1234 with two decimals is `12.34`. */
export function formatAmount(amount: bigint, decimals = 2): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export function smallest(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function largest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
