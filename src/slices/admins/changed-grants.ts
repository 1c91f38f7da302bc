import type { CompanyScope } from "../../core/scope/company-scope.js";
import { voidOutgrownTokens } from "../auth/password-setup.service.js";
import { closeSessionsOfAdmins } from "../auth/session.service.js";

/**
 * Settles what follows from a change of what admins hold: whoever holds more signs in anew, so that nobody gets more by a
 * login or a password that others know; a token to set the password of somebody who holds more than who issued it is void
 * for good. Call it in the transaction of the change, under the lock of the company's grants.
 *
 * @param grown the admins who hold more than before, whose rows are locked.
 */
export async function settleGrants(inside: CompanyScope, grown: readonly number[]): Promise<void> {
  if (grown.length > 0) await closeSessionsOfAdmins(inside, grown);
  await voidOutgrownTokens(inside);
}
