import { callerIsGone, invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { lockCart, lockClient, readCart } from "./cart-item.sql.js";
import { assertWithinLimits } from "./cart-limits.service.js";
import { applyPromos } from "./cart-promo.service.js";
import { type Cart, cartList } from "./cart.model.js";
import { resourceService, type ResourceService, type Values } from "../../core/resources/resource-service.js";

const carts = resourceService<Cart>("Cart", cartList, { owner: "clientId", prepare: keepOwner });

/**
 * Carts. Another client or branch has other promos, so the share of each row in them is found anew; another client has limits of its
 * own.
 */
export const cartService: ResourceService<Cart> = {
  ...carts,
  update: (scope, id, input) => {
    if (!("clientId" in input || "branchId" in input)) return carts.update(scope, id, input);
    return scope.transaction(async (inside) => {
      const isThere = "clientId" in input && (await lockCart(inside, { cartId: id })) !== null;
      const filled = isThere ? await readCart(inside, id) : null;
      const cart = await carts.update(inside, id, input);
      const { clientId } = cart;
      if (filled !== null && clientId !== null && clientId !== filled.ownerId)
        await assertWithinLimits(inside, filled, clientId);
      await applyPromos(inside, id);
      return cart;
    });
  },
  remove: (scope, id) => {
    if (scope.caller.kind !== "client") return carts.remove(scope, id);
    return scope.transaction(async (inside) => {
      await lockCart(inside, { cartId: id });
      return carts.remove(inside, id);
    });
  },
};

/**
 * Makes the carts that a client writes its own.
 *
 * @throws DomainError VALIDATION_FAILED with rule `exists` for another client; UNAUTHENTICATED for a client that is deleted.
 */
async function keepOwner(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const { caller } = scope;
  if (caller.kind !== "client") return input;
  if (id !== null) await lockCart(scope, { cartId: id });
  else if (!(await lockClient(scope, caller.id))) throw callerIsGone();
  const { clientId = caller.id } = input as { clientId?: number | null };
  if (clientId === caller.id) return { ...input, clientId };
  throw invalidField("clientId", "exists", `${clientId} does not exist`);
}
