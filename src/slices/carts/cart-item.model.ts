import { Field, Float, Int, ObjectType } from "type-graphql";
import { PictureUrls } from "../../core/files/picture-url.js";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { Row } from "../../core/db/db.js";
import { Good } from "../goods/good.model.js";
import { Provider } from "../providers/provider.model.js";
import { Cart } from "./cart.model.js";

type StoredCartItem = Row<"CartItem">;

/** A stored row of a cart. */
export type CartItemRow = StoredCartItem;

/** A cart has at most this many rows, since each change prices all of them. */
export const MOST_ITEMS = 200;

const ChoiceKindEnum = defineEnum("CartItemPropertyKind", ["options", "range", "text"], {
  description: "What was chosen or entered for a property.",
  values: { options: "One of its options.", range: "A number.", text: "A text." },
});

@ObjectType({ description: "What was chosen or entered for a property of a good in a cart." })
export class CartItemExtra {
  @Field(() => Int, { description: "The property." })
  propertyId!: number;

  @Field(() => String, { description: "Id or name of an option, a number, or a text, as it was sent." })
  value!: string;
}

@ObjectType({ description: "A choice of a row of a cart, as it was priced." })
export class CartItemProperty {
  @Field(() => Int, { description: "The property." })
  propertyId!: number;

  @Field(() => Int, { description: "The property as the good has it." })
  goodPropertyId!: number;

  @Field(() => String, { description: "Its name on the good." })
  name!: string;

  @Field(() => ChoiceKindEnum, { description: "What was chosen or entered." })
  kind!: string;

  @Field(() => String, { description: "Name of the option, the number, or the text." })
  value!: string;

  @Field(() => Int, { nullable: true, description: "The option; null for a number and a text." })
  optionId!: number | null;

  @Field(() => SafeInt, {
    description: "What it adds to the price of a unit, in hundredths; 0 when it is free.",
  })
  priceE2!: number;

  @Field(() => Boolean, { description: "Whether it is free of charge." })
  isFree!: boolean;

  @Field(() => Boolean, { description: "Whether it uses stock up." })
  isConsumable!: boolean;
}

@ObjectType({ description: "What a good in a cart was and cost when the row was written." })
export class CartItemSnapshot {
  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "The quantity." })
  quantity!: number;

  @Field(() => String, { nullable: true, description: "The notes." })
  notes!: string | null;

  @Field(() => Int, { nullable: true, description: "Whose cart it was." })
  clientId!: number | null;

  @Field(() => Int, { nullable: true, description: "The branch that the cart was filled at." })
  branchId!: number | null;

  @Field(() => Int, {
    description:
      "How many units count where something is given for each: the quantity or, where it counts parts, the whole units, " +
      "at least 1.",
  })
  units!: number;

  @Field(() => String, { description: "Name of the good." })
  name!: string;

  @Field(() => String, { description: "What it was in a few words." })
  shortDetails!: string;

  @Field(() => String, { description: "What it was at length." })
  details!: string;

  @PictureUrls("pictureUrls", {
    description: "URLs of its pictures, in their order; one that the good has no more leads nowhere.",
  })
  pictureUrls!: string[];

  @Field(() => SafeInt, { description: "Price of a unit at the branch, without choices, in hundredths." })
  basePriceE2!: number;

  @Field(() => SafeInt, {
    description:
      "Price of the row, in hundredths: `originalTotalE2` less what promos give on it by now, which is what `discounts` says.",
  })
  totalPriceE2!: number;

  @Field(() => SafeInt, {
    description:
      "Price of the row before promos, in hundredths: quantity × (base price + choices), divided by the parts of a unit " +
      "where the quantity counts parts; rounded half up once.",
  })
  originalTotalE2!: number;

  @Field(() => Float, { nullable: true, description: "What the branch had left; null: not counted." })
  goodStock!: number | null;

  @Field(() => String, { nullable: true, description: "The company's own code of the good." })
  sku!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "The promo that gives most on the row by now; null: none gives anything on it.",
  })
  promoId!: number | null;

  @Field(() => SafeInt, { description: "What a provider earns by the row, in hundredths." })
  providerFeeE2!: number;

  @Field(() => Float, { description: "The quantity in units, to three decimals." })
  quantityReal!: number;

  @Field(() => Float, {
    nullable: true,
    description: "Weight of the row by the `weightPerUnit` of the good, rounded half up; null without it.",
  })
  weight!: number | null;

  @Field(() => [CartItemProperty], { description: "What was chosen, in the order of the good's properties." })
  properties!: CartItemProperty[];
}

@ObjectType({ description: "A good in a cart." })
export class CartItem extends ResourceRow {
  @Field(() => Int, { description: "The cart." })
  cartId!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, {
    nullable: true,
    description: "The branch good that it was priced by; null where the branch has no row for the good.",
  })
  branchGoodId!: number | null;

  @Field(() => Int, { nullable: true, description: "Who provides it." })
  providerId!: number | null;

  @Field(() => Int, {
    description: "How many; where the good's `unitConfig` is enabled, parts of a unit are counted.",
  })
  quantity!: number;

  @Field(() => [CartItemExtra], {
    nullable: true,
    description: "What was chosen, as it was sent; null or an empty list: nothing.",
  })
  extras!: CartItemExtra[] | null;

  @Field(() => String, { nullable: true, description: "Notes of who buys, at most 255 characters." })
  notes!: string | null;

  @ToOne(() => Cart, {
    model: "Cart",
    via: "cartId",
    required: true,
    openTo: "readers",
    description: "The cart.",
  })
  cart!: Cart;

  @ToOne(() => Good, {
    model: "Good",
    via: "goodId",
    required: true,
    openTo: "readers",
    description: "The good as it is now.",
  })
  good!: Good;

  @ToOne(() => Provider, { model: "Provider", via: "providerId", description: "Who provides it." })
  provider!: Provider | null;
}

export const cartItemList = defineList(CartItem, "CartItem", {
  goodId: { kind: "int" },
  createdAt: { kind: "dateTime" },
});
