import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { applyPromos } from "./cart-promo.service.js";
import { type Cart, cartList } from "./cart.model.js";
import { resourceService, type ResourceService, type Values } from "../../core/resources/resource-service.js";

const carts = resourceService<Cart>("Cart", cartList, { owner: "clientId", prepare: keepOwner });

/** Carts. Another client or branch has other promos, so the share of each row in them is found anew. */
export const cartService: ResourceService<Cart> = {
  ...carts,
  update: (scope, id, input) => {
    if (!("clientId" in input || "branchId" in input)) return carts.update(scope, id, input);
    return scope.transaction(async (inside) => {
      const cart = await carts.update(inside, id, input);
      await applyPromos(inside, id);
      return cart;
    });
  },
};

/**
 * Makes the carts that a client writes its own.
 *
 * @throws DomainError VALIDATION_FAILED with rule `exists` for another client.
 */
function keepOwner({ caller }: CompanyScope, input: Values): Values {
  if (caller.kind !== "client") return input;
  const { clientId = caller.id } = input as { clientId?: number | null };
  if (clientId === caller.id) return { ...input, clientId };
  throw invalidField("clientId", "exists", `${clientId} does not exist`);
}
