import { forbidden } from "../errors/domain-error.js";
import type { CompanyScope } from "./company-scope.js";

/**
 * For what would answer a part as if it were the whole, such as the sums of the books.
 *
 * @param what names it in the refusal, such as "The trial balance".
 * @throws DomainError FORBIDDEN for a caller who is bound to shops or branches.
 */
export function assertReachesAll({ isBound }: Pick<CompanyScope, "isBound">, what: string): void {
  if (isBound)
    throw forbidden(`${what} goes by all shops: it is not for admins who are bound to shops or branches.`);
}
