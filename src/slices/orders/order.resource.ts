import {
  AmountField,
  ChoiceField,
  CurrencyField,
  IdField,
  InputField,
  InputObject,
  IntField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { Order, orderList, OrderStatusEnum, type OrderStatus } from "./order.model.js";
import { changedOrderFits, newOrderFits } from "./order.rule.js";
import { orderService } from "./order.service.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ExternalIdField } from "../../core/resources/external-id.js";

@InputObject({ description: "What is chosen or entered for a property of a good." })
class OrderItemPropertyInput {
  @IdField("Property", { description: "The property: one that the good offers." })
  propertyId!: number;

  @TextField({ description: "Id or name of an option, a number of the range, or a text.", max: 255 })
  value!: string;
}

@InputObject({ description: "A good of an order." })
class OrderItemInput {
  @IdField("Good", { description: "The good." })
  goodId!: number;

  @IntField({
    description: "How many; parts of a unit where the good's `unitConfig` is enabled.",
    min: 1,
  })
  quantity!: number;

  @AmountField({
    description:
      "What all of it costs, with its choices and by its weight, in hundredths. When absent, it follows from `properties` as " +
      "in a cart; without these the price of the good at the branch counts.",
    nullable: true,
  })
  totalPriceE2?: number | null;

  @InputField(
    () => [OrderItemPropertyInput],
    {
      description:
        "What is chosen of the good's properties, as in a cart; several options of one property are several entries. At most 100.",
      nullable: true,
    },
    { maxItems: 100 },
  )
  properties?: OrderItemPropertyInput[] | null;
}

@InputObject({ description: "An order." })
class CreateOrderInput {
  @ExternalIdField()
  externalId?: string | null;

  @IdField("Client", { description: "Who orders.", nullable: true })
  clientId?: number | null;

  @IdField("Branch", { description: "Where it is ordered.", nullable: true })
  branchId?: number | null;

  @IdField("Provider", { description: "The provider that shops for it.", nullable: true })
  shopperId?: number | null;

  @IdField("Provider", { description: "The provider that delivers it.", nullable: true })
  delivererId?: number | null;

  @AmountField({ description: "What the shopper earns, in hundredths; 0 when absent.", optional: true })
  shopperFeeE2?: number;

  @AmountField({ description: "What the deliverer earns, in hundredths; 0 when absent.", optional: true })
  delivererFeeE2?: number;

  @AmountField({ description: "Price of the goods, in hundredths; 0 when absent.", optional: true })
  subtotalE2?: number;

  @AmountField({
    description: "Price of the delivery, in hundredths; 0 when absent. With `subtotalE2` an amount too.",
    optional: true,
  })
  deliveryE2?: number;

  @AmountField({
    description: "What the client pays, in hundredths; of a new order subtotal and delivery when absent.",
    optional: true,
  })
  totalE2?: number;

  @CurrencyField({
    description: "Currency of all its amounts; of a new order the company's when absent.",
    optional: true,
  })
  currencyIso?: string;

  @TextField({ description: "Where it came from, such as `web`.", nullable: true, max: 64 })
  source?: string | null;

  @ChoiceField(OrderStatusEnum, { description: "How far it has come, created when absent.", optional: true })
  status?: OrderStatus;

  @InputField(
    () => [OrderItemInput],
    {
      description:
        "Its goods, each once, at most 200. They count for the limits of goods in carts, and are what its coupons are given " +
        "on; no amount of the order follows from them. " +
        "In an update they replace those that were.",
      optional: true,
    },
    { maxItems: 200, uniqueBy: "goodId" },
  )
  items?: OrderItemInput[];
}

/** The operations of orders. A cart becomes an order, so orders need the permissions of carts. */
export const orderCrud = resourceResolvers({
  model: "Order",
  type: Order,
  list: orderList,
  plural: "orders",
  area: "carts",
  create: CreateOrderInput,
  update: partialInput(CreateOrderInput, "UpdateOrderInput", { description: "Changes of an order." }),
  descriptions: {
    delete:
      "Deletes an order; answers what it was. Its goods go with it, and what it holds of coupons is given back. CONFLICT " +
      "while other rows refer to it: one that has used a coupon is canceled instead. INVALID_STATE while movements of " +
      "balances are about it.",
  },
  createRule: newOrderFits,
  updateRule: changedOrderFits,
  service: orderService,
});
