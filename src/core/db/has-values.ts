import { isDeepStrictEqual } from "node:util";

/** Whether a stored row has these values already, so that writing them would change nothing. What is absent counts as null. */
export function hasValues(row: object, values: object): boolean {
  const stored = row as Readonly<Record<string, unknown>>;
  return Object.entries(values).every(([field, value]) =>
    isDeepStrictEqual(plain(stored[field]), plain(value)),
  );
}

/** Amounts are stored as `bigint`, and come as numbers. */
const plain = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : (value ?? null));
