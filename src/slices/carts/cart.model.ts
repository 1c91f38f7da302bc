import { Field, Int, ObjectType } from "type-graphql";
import { Client } from "../clients/client.model.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { Branch } from "../shops/branch.model.js";
import { CartItem } from "./cart-item.model.js";
import { ResourceRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A cart that a client fills at a branch." })
export class Cart extends ResourceRow {
  @Field(() => Int, { nullable: true, description: "Whose cart it is." })
  clientId!: number | null;

  @Field(() => Int, { nullable: true, description: "The branch that it is filled at." })
  branchId!: number | null;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "Whose cart it is." })
  client!: Client | null;

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    openTo: "clients",
    description: "The branch that it is filled at.",
  })
  branch!: Branch | null;

  @ToMany(() => CartItem, {
    model: "CartItem",
    foreignKey: "cartId",
    order: [{ id: "asc" }],
    openTo: "readers",
    description: "The goods in it, oldest first.",
  })
  items!: CartItem[];
}

export const cartList = defineList(Cart, "Cart", {
  clientId: { kind: "int", nullable: true },
  branchId: { kind: "int", nullable: true },
  createdAt: { kind: "dateTime" },
});
