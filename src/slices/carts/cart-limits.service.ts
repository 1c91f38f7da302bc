import { type FieldError, validationFailed } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { CartGood } from "./cart-good.js";
import { type FilledCart, lockClient, quantityBesides, readCartGoods } from "./cart-item.sql.js";
import { limitErrors, limitSince } from "./cart-limit.rules.js";

interface Filling {
  readonly cartId: number;
  /** Whose limits count; null for none. */
  readonly clientId: number | null;
}

/**
 * How much of a good counts besides a cart for a limit of a time: what the client has ordered and what its other carts have taken
 * since, to which nobody adds until the transaction ends. Lock the cart first.
 */
export async function takenBesides(
  scope: CompanyScope,
  { cartId, clientId }: Filling,
  { goodId, maxQuantity, limitType }: CartGood,
): Promise<bigint> {
  const since = limitSince(limitType, scope.at, scope.company.timeZoneOffset);
  if (maxQuantity === null || since === null || clientId === null) return 0n;
  await lockClient(scope, clientId);
  return quantityBesides(scope, { clientId, cartId, goodId, since });
}

/**
 * Refuses that a cart passes to a client whose limits it would break with what is in it.
 *
 * @throws DomainError VALIDATION_FAILED with rule `limit`.
 */
export async function assertWithinLimits(
  scope: CompanyScope,
  { cartId, items }: FilledCart,
  clientId: number,
): Promise<void> {
  const goodIds = [...new Set(items.map((item) => item.goodId))];
  const goods = await readCartGoods(
    scope,
    goodIds.map((goodId) => ({ goodId, branchId: null })),
  );
  const errors: FieldError[] = [];
  for (const good of goods) {
    const { goodId } = good;
    const others = await takenBesides(scope, { cartId, clientId }, good);
    if (others === 0n) continue;
    const quantity = items
      .filter((item) => item.goodId === goodId)
      .reduce((sum, item) => sum + item.quantity, 0);
    for (const { rule, message } of limitErrors(good, quantity, others))
      errors.push({ field: "clientId", rule, message: `has good ${goodId} in the cart, which ${message}` });
  }
  if (errors.length > 0) throw validationFailed(errors);
}
