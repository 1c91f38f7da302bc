/** What a rule saw and needed. It tells nothing of what other clients did, nor who is on a list. */
export interface Seen {
  readonly passed: boolean;
  /** False when the rule was not judged, since a fact that it needs was not named; absent otherwise. */
  readonly judged?: boolean;
  readonly actual: string | null;
  /** `null` when the coupon asks for nothing. */
  readonly required: string | null;
}

/** The words for one of many, of which at most ten are named. */
export function oneOf(words: readonly (string | number)[]): string {
  const named = words.slice(0, MOST_NAMED).join(" or ");
  return words.length > MOST_NAMED ? `${named} or ${words.length - MOST_NAMED} more` : named;
}

const MOST_NAMED = 10;

/** The words for a number of uses. */
export function usesOf(count: number): string {
  return count === 1 ? "1 use" : `${count} uses`;
}

/** A rule that holds because the coupon asks for nothing. */
export function nothingAsked(actual: string | null): Seen {
  return { passed: true, actual, required: null };
}
