import { DomainError } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { insertMovement, type PostedMovement } from "./balance.sql.js";

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

/**
 * Posts a movement in one statement: it counts on from the holder's last movement and starts from its balance,
 * whatever the concurrency. The holder stays locked until the transaction ends; whoever posts to several holders
 * goes by type, key and currency in ascending order.
 *
 * @throws DomainError INVALID_STATE when the balance would leave the 53 bits that the interfaces show.
 */
export async function postMovement(scope: CompanyScope, movement: Movement): Promise<PostedMovement> {
  const posted = await insertMovement(scope, movement);
  if (posted === null) throw balanceIsFull();
  return posted;
}

export function balanceIsFull(): DomainError {
  return new DomainError("INVALID_STATE", "The balance cannot hold that much.");
}
