/** What a rule saw and needed. It tells nothing of what other clients did, nor who is on a list. */
export interface Seen {
  readonly passed: boolean;
  readonly actual: string | null;
  /** `null` when the coupon asks for nothing. */
  readonly required: string | null;
}

/** A rule that holds because the coupon asks for nothing. */
export function nothingAsked(actual: string | null): Seen {
  return { passed: true, actual, required: null };
}
