/** The largest number that a column of type `integer` holds. */
export const MAX_INT = 2_147_483_647;
/** The smallest one. */
const MIN_INT = -MAX_INT - 1;
/** The largest number that a column of type `bigint` holds. */
export const MAX_BIGINT = 2n ** 63n - 1n;

/** Returns whether a column of type `integer` holds a value. */
export function isInt(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) <= MAX_INT && (value as number) >= MIN_INT;
}

/** Returns whether a value can be the id of a row. */
export function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_INT;
}
