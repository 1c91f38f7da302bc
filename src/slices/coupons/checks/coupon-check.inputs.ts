import { Int } from "type-graphql";
import {
  AmountField,
  BooleanField,
  ClockField,
  DateTimeField,
  IdField,
  IdsField,
  InputObject,
  IntField,
  ObjectsField,
  InputField,
  TextField,
  type FieldOptions,
} from "../../../core/inputs/input-fields.js";

@InputObject({ description: "A choice of a good that is bought." })
class CouponItemPropertyInput {
  @IdField("Property", { description: "The property." })
  propertyId!: number;

  @TextField({ description: "What was chosen or entered.", max: 255 })
  value!: string;
}

@InputObject({ description: "A good that is bought." })
class CouponItemInput {
  @IdField("Good", { description: "The good." })
  goodId!: number;

  @IntField({
    description: "How many of it; parts of a unit where the good's `unitConfig` is enabled.",
    min: 1,
  })
  quantity!: number;

  @AmountField({
    description:
      "What all of it costs, with its choices and by its weight, in hundredths; when absent, what its good and the choices " +
      "cost at the branch.",
    nullable: true,
  })
  totalPriceE2?: number | null;

  @IntField({ description: "Who provides it.", nullable: true, min: 1 })
  providerId?: number | null;

  @ObjectsField(() => CouponItemPropertyInput, {
    description:
      "Its choices, which add to its price as in a cart, and are refused as there where the good does not offer them.",
    nullable: true,
  })
  properties?: CouponItemPropertyInput[] | null;
}

/** A purchase and its circumstances. The subclasses add its price and its moment. */
class PurchaseFactsInput {
  @AmountField({
    description:
      "Subtotal with taxes, in hundredths; taken instead of the subtotal by coupons with `applyAfterTax`.",
    nullable: true,
  })
  subtotalFullE2?: number | null;

  @AmountField({
    description: "Price before other discounts, in hundredths; the subtotal when absent.",
    nullable: true,
    min: 1,
  })
  basePriceE2?: number | null;

  @AmountField({
    description:
      "Price of the delivery, in hundredths; at most what makes a total of 2^53 - 1 with the subtotal, with or without " +
      "taxes.",
    nullable: true,
  })
  deliveryE2?: number | null;

  @IntField({
    description: "The client who buys; a client's own token stands for that client and may name no other.",
    nullable: true,
    min: 1,
  })
  clientId?: number | null;

  @ObjectsField(() => CouponItemInput, {
    description:
      "What is bought: its units count for `applyForUnit`, its services for the base `service`. An order that has lines " +
      "names it itself.",
    nullable: true,
  })
  items?: CouponItemInput[] | null;

  @IdsField("Good", {
    description:
      "Ids of goods that are bought. Without a branch, the purchase is made at their shops: a coupon for certain shops has " +
      "to be for all of them. At a branch they are of its shop, or of none.",
    nullable: true,
  })
  goods?: number[] | null;

  @TextField({
    description: "Means `goods`, as text with commas between the ids.",
    nullable: true,
    pattern: { source: "^\\d+(,\\d+)*$", words: "ids with commas between" },
  })
  goodIds?: string | null;

  @ClockField({
    description: "Clock time of the purchase, in place of that of `datetime` or now.",
    nullable: true,
  })
  time?: string | null;

  @BooleanField({
    description: "Whether days and hours are those of the branch's own time zone instead of the company's.",
    nullable: true,
  })
  useLocalTz?: boolean | null;

  @TextField({ description: "Where the purchase comes from, such as `web`.", nullable: true, max: 64 })
  source?: string | null;

  @BooleanField({
    description: "Whether every rule and step is listed, in the answer and in a refusal.",
    nullable: true,
  })
  explain?: boolean | null;
}

const LaterField = () =>
  DateTimeField({ description: "When it is bought; now when absent.", nullable: true, laterThan: ["now"] });

/** A purchase now or later. */
export class PurchaseInput extends PurchaseFactsInput {
  @LaterField()
  datetime?: string | null;
}

/** A purchase whose order has place and price unless the input does. */
class PurchaseOfOrderInput extends PurchaseFactsInput {
  @IdField("Branch", { description: "Where it is bought; the order's when absent.", nullable: true })
  branchId?: number | null;

  @AmountField({
    description:
      "Price of the goods, in hundredths; the order's when absent, required where the order has none.",
    nullable: true,
    min: 1,
  })
  subtotalE2?: number | null;
}

/** A purchase of an order, now or later. */
export class LaterPurchaseOfOrderInput extends PurchaseOfOrderInput {
  @LaterField()
  datetime?: string | null;
}

const OrderIdField = () =>
  IntField({
    description:
      "The order, if there is one: client, prices, branch and source are the order's, and its other coupons count.",
    nullable: true,
    min: 1,
  });

/** A purchase whose order may be there already. */
class OrderedPurchaseInput extends PurchaseInput {
  @OrderIdField()
  orderId?: number | null;
}

@InputObject({ description: "A purchase for which a coupon is to be checked." })
export class CheckCouponInput extends OrderedPurchaseInput {
  @TextField({ description: "The code, in any case.", min: 5, max: 20 })
  couponCode!: string;

  @AmountField({ description: "Price of the goods, in hundredths.", min: 1 })
  subtotalE2!: number;
}

@InputObject({ description: "A purchase to which promos may apply." })
export class ApplicablePromosInput extends OrderedPurchaseInput {
  @TextField({
    description: "Code of a coupon that is used along: promos that do not go with it are left out.",
    nullable: true,
    min: 5,
    max: 20,
  })
  couponCode?: string | null;

  @IdField("Branch", { description: "Where it is bought.", nullable: true })
  branchId?: number | null;

  @AmountField({ description: "Price of the goods, in hundredths.", min: 1 })
  subtotalE2!: number;
}

/** How many codes a purchase may bring. */
export const MOST_CODES = 20;

/** The codes of a purchase; every code may be there once. */
export const CodesField = (options: FieldOptions) =>
  InputField(() => [String], options, {
    maxItems: MOST_CODES,
    items: { text: "line", minLength: 5, maxLength: 20 },
  });

@InputObject({
  description:
    "A purchase whose discounts are asked for. Client, prices, branch and source are the order's where it has them.",
})
export class DiscountsInput extends PurchaseOfOrderInput {
  @OrderIdField()
  orderId?: number | null;

  @CodesField({
    description: `Codes that are used together, at most ${MOST_CODES}, in any case.`,
    optional: true,
  })
  codes?: string[];

  @InputField(
    () => [Int],
    {
      description:
        `Coupons without their codes, at most ${MOST_CODES}, for admins: those that are not yet ready are judged as if ` +
        "they ran.",
      optional: true,
    },
    { maxItems: MOST_CODES, items: { minimum: 1, existingId: "Coupon" } },
  )
  couponIds?: number[];

  @BooleanField({ description: "Whether promos are taken along; false when absent.", optional: true })
  withPromos?: boolean;

  @DateTimeField({
    description:
      "When it is bought; now when absent. For admins it may be past: then everything but counts and limits is judged by " +
      "that moment.",
    nullable: true,
  })
  datetime?: string | null;
}
