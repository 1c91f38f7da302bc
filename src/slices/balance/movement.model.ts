import { ArgsType, Extensions, Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { ChecksList, defineList } from "../../core/lists/list-definition.js";
import { CHOOSES_ROWS } from "../../core/operations/operation-arguments.js";
import { ToOne } from "../../core/relations/relations.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Admin } from "../admins/admin.model.js";
import { CouponRedemption } from "../coupons/uses/coupon-use.model.js";
import {
  addHolderArguments,
  HELD_CURRENCY,
  HolderTypeEnum,
  type HolderArguments,
  type HolderType,
} from "./balance.model.js";

export const MovementTypeEnum = defineEnum(
  "BalanceMovementType",
  ["adjustment", "transfer", "change", "shopper_fee", "deliverer_fee", "gift_card", "reversal"],
  {
    description: "Kinds of movements.",
    values: {
      adjustment: "Somebody corrected the balance.",
      transfer: "A side of a transfer for an order.",
      change: "A side of the change of an order.",
      shopper_fee: "A side of taking back the shopper's fee of an order.",
      deliverer_fee: "A side of taking back the deliverer's fee of an order.",
      gift_card: "A gift card was redeemed.",
      reversal: "It takes another movement back.",
    },
  },
);
export type MovementType = keyof typeof MovementTypeEnum;

/** Kinds of movements that lists are filtered by: a fee of either provider is one of `fee`, too. */
export const MovementKindEnum = defineEnum(
  "BalanceMovementKind",
  ["adjustment", "transfer", "change", "fee", "shopper_fee", "deliverer_fee", "gift_card", "reversal"],
  {
    description: "Kinds of movements that lists are filtered by.",
    values: {
      adjustment: "Somebody corrected the balance.",
      transfer: "A side of a transfer for an order.",
      change: "A side of the change of an order.",
      fee: "A side of taking back a fee of an order, the shopper's or the deliverer's.",
      shopper_fee: "A side of taking back the shopper's fee of an order.",
      deliverer_fee: "A side of taking back the deliverer's fee of an order.",
      gift_card: "A gift card was redeemed.",
      reversal: "It takes another movement back.",
    },
  },
);

export const RelatedTypeEnum = defineEnum("BalanceRelatedType", ["order", "coupon"], {
  description: "Kinds of records that movements are about.",
  values: { order: "An order.", coupon: "A gift card." },
});
export type RelatedType = keyof typeof RelatedTypeEnum;

@ObjectType({ description: "The record that a movement is about." })
export class RelatedRecord {
  @Field(() => RelatedTypeEnum, { description: "Its kind." })
  type!: RelatedType;

  @Field(() => SafeInt, { description: "Its id." })
  id!: bigint;
}

@ObjectType({
  description:
    "What the hash of a movement is made of: SHA-256 of the bytes of `previousHash`, none of the first movement, and behind " +
    "them `text` in UTF-8. The fields of the text stand one in each line; an absent one is an empty line.",
})
export class MovementProof {
  @Field(() => String, {
    nullable: true,
    description:
      "Hash of the movement before it, of the same holder, or of the same lane of an account of the company, in hexadecimal " +
      "digits; null of the first one.",
  })
  previousHash!: string | null;

  @Field(() => String, {
    description:
      "The line `v2`; company, id, type of the holder, its key (below zero a lane of an account of the company), currency, " +
      "number, initial balance, amount, final balance, kind, 1 when deferred or 0, author, kind and id of the record that it is " +
      "about, transfer, counterpart, final balance of the other side of a transfer, movement that it reverses, identity of the " +
      "request, moment in milliseconds since 1970, request, kind of caller, description, which alone may have lines of its " +
      "own. A movement from before kinds of callers were kept has neither `v2`, request nor kind of caller.",
  })
  text!: string;

  @Field(() => String, { description: "The hash, in hexadecimal digits." })
  hash!: string;
}

@ObjectType({
  description: "One change of a holder's balance. It is never changed itself, and never deleted.",
})
export class BalanceMovement {
  companyId!: number;

  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  @Field(() => Int, {
    description:
      "Number of the movement among the holder's, from 1 without gaps; of an account of the company among those of its lane.",
  })
  number!: number;

  @Field(() => HolderTypeEnum, { description: "Type of the holder." })
  holderType!: HolderType;

  @Field(() => String, { description: "Its currency." })
  currencyIso!: string;

  @Field(() => SafeInt, {
    description: "Balance before it, in hundredths; of an account of the company that of its lane.",
  })
  initialBalanceE2!: bigint;

  @Field(() => SafeInt, { description: "What it changes, in hundredths; negative: it lowers the balance." })
  amountE2!: bigint;

  @Field(() => SafeInt, { description: "Balance after it, in hundredths." })
  finalBalanceE2!: bigint;

  @Field(() => MovementTypeEnum, { description: "Its kind." })
  type!: MovementType;

  @Field(() => String, { description: "What it is for." })
  description!: string;

  @Field(() => Boolean, { description: "Whether it is to be settled later; it counts all the same." })
  isDeferred!: boolean;

  @Field(() => Int, { nullable: true, description: "The admin who caused it; null when no admin did." })
  authorId!: number | null;

  @ToOne(() => Admin, { model: "Admin", via: "authorId", description: "The admin who caused it." })
  author!: Admin | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Both sides of a transfer have the same; null for a movement that is no side of one.",
  })
  transferId!: bigint | null;

  @Field(() => SafeInt, { nullable: true, description: "The movement that it takes back." })
  reversesId!: bigint | null;

  @ToOne(() => BalanceMovement, {
    model: "BalanceMovement",
    via: "reversesId",
    description: "The movement that it takes back.",
  })
  reverses!: BalanceMovement | null;

  @ToOne(() => CouponRedemption, {
    model: "CouponRedemption",
    key: "movementId",
    via: "id",
    area: "coupons",
    description: "The use of a gift card that it credits; null of other movements.",
  })
  use!: CouponRedemption | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The request that caused it, as in its answer's header `X-Request-Id`; null where that was not kept.",
  })
  requestId!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was posted." })
  createdAt!: Date;
}

/** The stored values that movements show otherwise. */
export interface StoredMovement extends Omit<BalanceMovement, "author" | "reverses" | "use"> {
  /** Id of the holder; below zero a lane of an account of the company. */
  readonly holderKey: number;
  readonly counterpartId: bigint | null;
  readonly identity: Uint8Array | null;
  readonly actorKind: string | null;
  readonly relatedType: RelatedType | null;
  readonly relatedId: bigint | null;
  readonly counterpartFinalE2: bigint | null;
  readonly hash: Uint8Array;
}

const list = defineList(
  BalanceMovement,
  "BalanceMovement",
  {
    id: { kind: "safeInt", filterable: false },
    createdAt: { kind: "dateTime", note: "Moments without an offset are the company's." },
    amountE2: { kind: "safeInt" },
    type: { kind: "enum", enum: MovementKindEnum, sortable: false },
    holderType: { kind: "enum", enum: HolderTypeEnum, sortable: false },
    authorId: { kind: "int", nullable: true, sortable: false },
    relatedType: { kind: "enum", enum: RelatedTypeEnum, nullable: true, sortable: false },
    relatedId: { kind: "safeInt", nullable: true, sortable: false, isRare: true },
  },
  { defaultOrder: [{ field: "createdAt", direction: "desc" }] },
);

/** Kinds of records are texts in the contract. */
const RECORD_KINDS = {
  [CHOOSES_ROWS]: true,
  jsonSchema: { nullable: true, items: { enum: Object.keys(RelatedTypeEnum) } },
};

@ArgsType()
export class BalanceMovementsArgs extends list.Args {
  type?: HolderType | null;
  key?: number | null;
  account?: string | null;
  currencyIso?: string | null;

  @Extensions(RECORD_KINDS)
  @Field(() => [String], {
    nullable: true,
    description: "Only movements that are about records of these kinds. BAD_REQUEST for an unknown kind.",
  })
  targetType?: string[] | null;

  @Extensions({ jsonSchema: { nullable: true } })
  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether pages by cursor end with what the holder has when the first one is read, in whatever order: all of them are of " +
      "one moment. It goes with a key, and not with the name of an account.",
  })
  ofOneMoment?: boolean | null;
}
addHolderArguments(BalanceMovementsArgs, { isOptional: true });

@ArgsType()
export class ClientMovementsArgs extends list.Args {
  @Extensions({ jsonSchema: { ...HELD_CURRENCY, nullable: true } })
  @Field(() => String, {
    nullable: true,
    description: "The currency (3 to 8 letters); the company's when absent.",
  })
  currencyIso?: string | null;
}

/** What a client's field of movements takes. */
@ArgsType()
export class ClientMovementsPage {
  @Extensions({ jsonSchema: { ...HELD_CURRENCY, nullable: true } })
  @Field(() => String, {
    nullable: true,
    description: "The currency (3 to 8 letters); the company's when absent.",
  })
  currencyIso?: string | null;

  @ChecksList({ fields: list.fields, cursors: list.name })
  @Field(() => Int, { nullable: true, description: "How many, 1 to 200; 25 when absent." })
  first?: number | null;

  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, { nullable: true, description: "Movements after this cursor." })
  after?: string | null;
}

@ArgsType()
export class CurrentMovementArgs implements HolderArguments {
  type!: HolderType;
  key?: number | null;
  account?: string | null;
  currencyIso?: string | null;

  @Extensions(RECORD_KINDS)
  @Field(() => [String], {
    nullable: true,
    description: "Only movements that are about records of these kinds. BAD_REQUEST for an unknown kind.",
  })
  targetType?: string[] | null;
}
addHolderArguments(CurrentMovementArgs);

export const balanceMovementList = { ...list, Args: BalanceMovementsArgs };
/** Movements of one record, such as an order. */
export const recordMovementList = list;
