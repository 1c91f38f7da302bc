import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { Client } from "../clients/client.model.js";
import { CouponRedemption } from "../coupons/uses/coupon-use.model.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Good } from "../goods/good.model.js";
import { Branch } from "../shops/branch.model.js";
import { Provider } from "../providers/provider.model.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";

export const OrderStatusEnum = defineEnum("OrderStatus", ["created", "paid", "delivered", "canceled"], {
  description: "How far an order has come.",
  values: {
    created: "It was made.",
    paid: "It is paid.",
    delivered: "The client has it.",
    canceled: "It will not be delivered.",
  },
});
export type OrderStatus = keyof typeof OrderStatusEnum;

@ObjectType({ description: "What was chosen or entered for a property of a good of an order." })
export class OrderItemProperty {
  @Field(() => Int, { description: "The property." })
  propertyId!: number;

  @Field(() => String, { description: "Id or name of an option, a number, or a text, as it was sent." })
  value!: string;
}

@ObjectType({ description: "A good of an order." })
export class OrderItem {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  @Field(() => Int, { description: "The order." })
  orderId!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "How many; parts of a unit where the good's `unitConfig` is enabled." })
  quantity!: number;

  @Field(() => SafeInt, {
    nullable: true,
    description:
      "What all of it costs, with its choices and by its weight, in hundredths; null: what the good costs at the branch counts.",
  })
  totalPriceE2!: bigint | null;

  @Field(() => [OrderItemProperty], {
    nullable: true,
    description: "What was chosen of the good's properties, as it was sent; null: nothing was sent.",
  })
  properties!: OrderItemProperty[] | null;

  @ToOne(() => Good, {
    model: "Good",
    via: "goodId",
    required: true,
    openTo: "readers",
    description: "The good.",
  })
  good!: Good;
}

@ObjectType({ description: "A purchase, as far as the rules of coupons and balances need it." })
export class Order extends ResourceRow {
  @ExternalId()
  externalId!: string | null;

  @Field(() => Int, { nullable: true, description: "Who ordered." })
  clientId!: number | null;

  @Field(() => Int, { nullable: true, description: "Where it was ordered." })
  branchId!: number | null;

  @Field(() => Int, { nullable: true, description: "The provider that shops for it." })
  shopperId!: number | null;

  @Field(() => Int, { nullable: true, description: "The provider that delivers it." })
  delivererId!: number | null;

  @Field(() => SafeInt, { description: "What the shopper earns, in hundredths." })
  shopperFeeE2!: bigint;

  @Field(() => SafeInt, { description: "What the deliverer earns, in hundredths." })
  delivererFeeE2!: bigint;

  @Field(() => SafeInt, { description: "Price of the goods, in hundredths." })
  subtotalE2!: bigint;

  @Field(() => SafeInt, { description: "Price of the delivery, in hundredths." })
  deliveryE2!: bigint;

  @Field(() => SafeInt, { description: "What the client pays, in hundredths." })
  totalE2!: bigint;

  @Field(() => String, { description: "Currency of all its amounts." })
  currencyIso!: string;

  @Field(() => String, { nullable: true, description: "Where it came from, such as `web`." })
  source!: string | null;

  @Field(() => OrderStatusEnum, { description: "How far it has come." })
  status!: OrderStatus;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "Who ordered." })
  client!: Client | null;

  @ToOne(() => Branch, { model: "Branch", via: "branchId", description: "Where it was ordered." })
  branch!: Branch | null;

  @ToOne(() => Provider, {
    model: "Provider",
    via: "shopperId",
    description: "The provider that shops for it.",
  })
  shopper!: Provider | null;

  @ToOne(() => Provider, {
    model: "Provider",
    via: "delivererId",
    description: "The provider that delivers it.",
  })
  deliverer!: Provider | null;

  @ToMany(() => OrderItem, {
    model: "OrderItem",
    foreignKey: "orderId",
    order: [{ id: "asc" }],
    openTo: "readers",
    description: "Its goods, in the order given.",
  })
  items!: OrderItem[];

  @ToMany(() => CouponRedemption, {
    model: "CouponRedemption",
    foreignKey: "orderId",
    order: [{ id: "asc" }],
    area: "coupons",
    description: "Its uses of coupons, those that were given back too, in the order in which they were made.",
  })
  couponUses!: CouponRedemption[];
}

export const orderList = defineList(Order, "Order", {
  ...EXTERNAL_ID_FIELDS,
  clientId: { kind: "int", nullable: true },
  branchId: { kind: "int", nullable: true, countable: true },
  shopperId: { kind: "int", nullable: true },
  delivererId: { kind: "int", nullable: true },
  status: { kind: "enum", enum: OrderStatusEnum },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
