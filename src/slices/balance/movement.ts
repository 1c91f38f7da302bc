/** Types of holders; an account is an admin's (contract §15.2). */
export const HOLDER_TYPES = ["account", "client", "provider", "branch", "company", "city"] as const;

/** A movement before it is posted. */
export interface Movement {
  readonly holderType: (typeof HOLDER_TYPES)[number];
  /** Id of the account, client or other holder. */
  readonly holderKey: number;
  readonly currencyIso: string;
  /** The amount in hundredths; a negative one lowers the balance. */
  readonly amountE2: bigint;
  /** Kind of the movement, such as `adjustment` or `gift_card`. */
  readonly type: string;
  readonly description: string;
  /** The admin who caused it. */
  readonly authorId: number | null;
  /** Kind of the row that the movement is about, such as `coupon`. */
  readonly relatedType: string | null;
  readonly relatedId: number | null;
}
