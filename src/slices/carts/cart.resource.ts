import { IdField, InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { Cart, cartList } from "./cart.model.js";
import { cartService } from "./cart.service.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A cart." })
class CreateCartInput {
  @IdField("Client", { description: "Whose cart it is; a client may only name itself.", nullable: true })
  clientId?: number | null;

  @IdField("Branch", { description: "The branch that it is filled at.", nullable: true })
  branchId?: number | null;
}

export const cartCrud = resourceResolvers({
  model: "Cart",
  type: Cart,
  list: cartList,
  plural: "carts",
  area: "carts",
  openTo: "clients",
  create: CreateCartInput,
  update: partialInput(CreateCartInput, "UpdateCartInput", { description: "Changes of a cart." }),
  service: cartService,
});
