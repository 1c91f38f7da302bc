import { invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Cart, cartList } from "./cart.model.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";

export const cartService = resourceService<Cart>("Cart", cartList, {
  owner: "clientId",
  prepare: keepOwner,
});

/** The carts that a client writes are its own; other clients do not exist for it. */
function keepOwner({ caller }: CompanyScope, input: Values): Values {
  if (caller.kind !== "client") return input;
  const { clientId = caller.id } = input as { clientId?: number | null };
  if (clientId === caller.id) return { ...input, clientId };
  throw invalidField("clientId", "exists", `${clientId} does not exist`);
}
