import { DomainError } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { insertMovement, type PostedMovement } from "./balance.sql.js";
import type { Movement } from "./movement.js";

/**
 * Posts a movement in one statement. Its number and initial balance follow the holder's last movement, however many
 * are posted at once. The holder stays locked until the transaction ends, so a transaction that posts to several
 * holders has to take them by type, key and currency in ascending order.
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
