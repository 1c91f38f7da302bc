import type { RowError } from "./import-row.rules.js";

/** Errors of an import that are kept one by one; the rest is counted. */
export const MOST_ERRORS_KEPT = 10_000;

/** What is told of what the database refuses without words for callers. */
export const REFUSED = { rule: "refused", message: "cannot be written as it is" } as const;

/** How many errors of an import are of one rule on one field. */
export interface ErrorCount {
  /** `null` for rows that are refused as a whole. */
  readonly field: string | null;
  readonly rule: string;
  readonly count: number;
  readonly firstRow: number;
}

/** How many of so many errors are kept. */
export function keptCount(errors: number): number {
  return Math.min(errors, MOST_ERRORS_KEPT);
}

/** Returns the counts with more errors, the most frequent first. */
export function addErrors(counts: readonly ErrorCount[], errors: readonly RowError[]): ErrorCount[] {
  const byKind = new Map(counts.map((count) => [kindOf(count), count]));
  for (const { field, rule, row } of errors) {
    const kind = kindOf({ field, rule });
    const { count, firstRow } = byKind.get(kind) ?? { count: 0, firstRow: row };
    byKind.set(kind, { field, rule, count: count + 1, firstRow: Math.min(firstRow, row) });
  }
  return [...byKind.values()].sort((one, other) => other.count - one.count || one.firstRow - other.firstRow);
}

const kindOf = ({ field, rule }: Pick<ErrorCount, "field" | "rule">): string => `${rule} ${field ?? ""}`;
