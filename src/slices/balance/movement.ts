/** Whose balance: an account of an admin, a client, … (contract §15.2). */
export const HOLDER_TYPES = ["account", "client", "provider", "branch", "company", "city"] as const;

/** A movement before it is posted. */
export interface Movement {
  readonly holderType: (typeof HOLDER_TYPES)[number];
  /** Id of the account, client, … */
  readonly holderKey: number;
  readonly currencyIso: string;
  /** Negative takes away. */
  readonly amountE2: bigint;
  /** What kind of movement, such as `adjustment` or `gift_card`. */
  readonly type: string;
  readonly description: string;
  /** The admin who caused it. */
  readonly authorId: number | null;
  /** Kind and id of the record that it is about. */
  readonly relatedType: string | null;
  readonly relatedId: number | null;
}
