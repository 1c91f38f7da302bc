import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Cart, cartList } from "./cart.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const cartService = resourceService<Cart>("Cart", cartList, {
  owner: "clientId",
  prepare: keepOwner,
});

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
