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
  TextField,
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

  @IntField({ description: "How many of it.", min: 1 })
  quantity!: number;

  @IntField({ description: "Who provides it.", nullable: true, min: 1 })
  providerId?: number | null;

  @ObjectsField(() => CouponItemPropertyInput, { description: "Its choices.", nullable: true })
  properties?: CouponItemPropertyInput[] | null;
}

/** A purchase and its circumstances. The subclasses add its price. */
export class PurchaseInput {
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
      "What is bought: its quantities count for `applyForUnit`, its services for the base `service`.",
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

  @DateTimeField({ description: "When it is bought; now when absent.", nullable: true, laterThan: ["now"] })
  datetime?: string | null;

  @BooleanField({
    description: "Whether days and hours are those of the branch's own time zone instead of the company's.",
    nullable: true,
  })
  useLocalTz?: boolean | null;

  @TextField({ description: "Where the purchase comes from, such as `web`.", nullable: true, max: 64 })
  source?: string | null;

  @BooleanField({
    description: "Whether every rule and step is told, in the answer and in a refusal.",
    nullable: true,
  })
  explain?: boolean | null;
}

@InputObject({ description: "A purchase for which a coupon is to be checked." })
export class CheckCouponInput extends PurchaseInput {
  @TextField({ description: "The code, in any case.", min: 5, max: 20 })
  couponCode!: string;

  @AmountField({ description: "Price of the goods, in hundredths.", min: 1 })
  subtotalE2!: number;
}

@InputObject({ description: "A purchase to which promos may apply." })
export class ApplicablePromosInput extends PurchaseInput {
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
