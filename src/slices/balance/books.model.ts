import { ArgsType, Extensions, Field, InputType, Int, ObjectType, type ClassType } from "type-graphql";
import { connectionOf, type Connection } from "../../core/lists/connection.js";
import { COMPARISONS, enumComparison } from "../../core/lists/filter-inputs.js";
import { ChecksList, defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { IsoDateTime } from "../../core/scalars/iso-date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { Admin } from "../admins/admin.model.js";
import {
  BalanceHolder,
  HELD_CURRENCY,
  HolderTypeEnum,
  StatementSums,
  type HolderType,
} from "./balance.model.js";

@ObjectType({ description: "Sums of holders at a moment." })
export class TrialBalanceTotals {
  @Field(() => Int, { description: "How many holders have movements; an account of the company is one." })
  holders!: number;

  @Field(() => SafeInt, { description: "Sum of what lowered them, in hundredths, not negative." })
  debitE2!: bigint;

  @Field(() => SafeInt, { description: "Sum of what raised them, in hundredths, not negative." })
  creditE2!: bigint;

  @Field(() => SafeInt, { description: "Sum of their balances, in hundredths: the credit less the debit." })
  balanceE2!: bigint;
}

@ObjectType({ description: "The holders of a type, or an account of the company, at a moment." })
export class TrialBalanceRow extends TrialBalanceTotals {
  @Field(() => HolderTypeEnum, { description: "Type of the holders." })
  holderType!: HolderType;

  @Field(() => String, {
    nullable: true,
    description:
      "Name of the account of the company; null for holders of the type that have rows of their own.",
  })
  account!: string | null;
}

@ObjectType({ description: "What all holders of a company have in one currency at a moment." })
export class TrialBalance {
  @Field(() => String, { description: "The currency." })
  currencyIso!: string;

  @Field(() => [TrialBalanceRow], { description: "By type and account, those with movements." })
  rows!: TrialBalanceRow[];

  @Field(() => TrialBalanceTotals, {
    description: "The sums of all rows: as much was raised as was lowered, so that the balance is 0.",
  })
  totals!: TrialBalanceTotals;
}

@ArgsType()
export class BooksArgs {
  @Extensions({ jsonSchema: { nullable: true } })
  @Field(() => DateTime, {
    nullable: true,
    description: "The moment, whose whole second counts; without an offset the company's. Now when absent.",
  })
  at?: string | null;

  @Extensions({ jsonSchema: { ...HELD_CURRENCY, nullable: true } })
  @Field(() => String, {
    nullable: true,
    description: "The currency (3 to 8 letters); the company's when absent.",
  })
  currencyIso?: string | null;
}

@InputType({ description: "Which holders to list; all conditions must hold." })
export class BalanceHoldersFilterInput {
  @Field(() => enumComparison(HolderTypeEnum), { nullable: true, description: "Condition on `type`." })
  type?: Conditions | null;

  @Field(() => COMPARISONS.word, { nullable: true, description: "Condition on `currencyIso`." })
  currencyIso?: Conditions | null;

  @Field(() => COMPARISONS.safeInt, { nullable: true, description: "Condition on `balanceE2`." })
  balanceE2?: Conditions | null;

  @Extensions({ jsonSchema: { text: "line", maxLength: 100, nullable: true } })
  @Field(() => String, {
    nullable: true,
    description: "The name contains this text, whatever its case and accents (at most 100 characters).",
  })
  q?: string | null;
}

type Conditions = Readonly<Record<string, unknown>>;

/** The first word of the cursors of holders. */
export const HOLDERS = "BalanceHolders";

@ArgsType()
export class BalanceHoldersArgs {
  @ChecksList({
    fields: {
      type: { kind: "enum", enum: HolderTypeEnum },
      currencyIso: { kind: "word" },
      balanceE2: { kind: "safeInt" },
    },
    cursors: HOLDERS,
  })
  @Field(() => BalanceHoldersFilterInput, {
    nullable: true,
    description: "Which holders; all of them when absent.",
  })
  filter?: BalanceHoldersFilterInput | null;

  @Extensions({ jsonSchema: { nullable: true } })
  @Field(() => DateTime, {
    nullable: true,
    description:
      "Balances at this moment, whose whole second counts; without an offset the company's. Now when absent.",
  })
  at?: string | null;

  @Field(() => Int, { nullable: true, description: "How many holders, 1 to 200; 25 when absent." })
  first?: number | null;

  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, { nullable: true, description: "Holders after this cursor." })
  after?: string | null;
}

export const BalanceHolderConnection = connectionOf(BalanceHolder, "BalanceHolder");

@ObjectType({
  description: "What a holder's movements of a period come to, with those of another period to compare.",
})
export class HolderStatement extends StatementSums {
  companyId!: number;

  @Field(() => HolderTypeEnum, { description: "Type of the holder." })
  holderType!: HolderType;

  @Field(() => Int, {
    description: "Id of the account, client or other holder; 0 of an account of the company.",
  })
  holderKey!: number;

  @Field(() => String, {
    nullable: true,
    description: "Name of an account of the company; null of other holders.",
  })
  account!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What the holder is called; null when there is no such row any more.",
  })
  name!: string | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Balance at the beginning of the period to compare, in hundredths; null without one.",
  })
  comparedOpeningE2!: bigint | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Sum of what raised the balance in the period to compare, in hundredths; null without one.",
  })
  comparedCreditsE2!: bigint | null;

  @Field(() => SafeInt, {
    nullable: true,
    description:
      "Sum of what lowered the balance in the period to compare, in hundredths, not negative; null without one.",
  })
  comparedDebitsE2!: bigint | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Balance at the end of the period to compare, in hundredths; null without one.",
  })
  comparedClosingE2!: bigint | null;

  @Field(() => Int, {
    nullable: true,
    description: "How many movements the period to compare has; null without one.",
  })
  comparedCount!: number | null;
}

export const HolderStatementConnection = connectionOf(HolderStatement, "HolderStatement") as ClassType<
  Connection<HolderStatement> & { asOf: Date }
>;
Field(() => IsoDateTime, {
  description:
    "The moment that the page is of: what was posted before it counts, and nothing else. Pages by `offset` that send it as `asOf` " +
    "are of the same moment; by cursor they are anyhow.",
})(HolderStatementConnection.prototype, "asOf");

@InputType({ description: "Which holders to list statements of; all conditions must hold." })
export class HolderStatementsFilterInput {
  @Field(() => enumComparison(HolderTypeEnum), { nullable: true, description: "Condition on `holderType`." })
  holderType?: Conditions | null;

  @Field(() => COMPARISONS.word, { nullable: true, description: "Condition on `currencyIso`." })
  currencyIso?: Conditions | null;
}

/** The first word of the cursors of statements. */
export const STATEMENTS = "HolderStatements";

@ArgsType()
export class HolderStatementsArgs {
  @Field(() => DateTime, { description: "Beginning of the period; without an offset the company's." })
  from!: string;

  @Extensions({ jsonSchema: { laterThan: ["from"] } })
  @Field(() => DateTime, {
    description:
      "End of the period, which is no part of it (later than from, at most 400 days); without an offset the company's.",
  })
  until!: string;

  @Extensions({ jsonSchema: { nullable: true } })
  @Field(() => DateTime, {
    nullable: true,
    description: "Beginning of a period to compare, such as a year before; goes with `comparedUntil`.",
  })
  comparedFrom?: string | null;

  @Extensions({ jsonSchema: { laterThan: ["comparedFrom"], nullable: true } })
  @Field(() => DateTime, {
    nullable: true,
    description: "End of the period to compare (later than comparedFrom, at most 400 days).",
  })
  comparedUntil?: string | null;

  @ChecksList({
    fields: { holderType: { kind: "enum", enum: HolderTypeEnum }, currencyIso: { kind: "word" } },
    cursors: STATEMENTS,
  })
  @Field(() => HolderStatementsFilterInput, {
    nullable: true,
    description: "Which holders; all of them when absent.",
  })
  filter?: HolderStatementsFilterInput | null;

  @Field(() => Int, { nullable: true, description: "How many holders, 1 to 200; 25 when absent." })
  first?: number | null;

  @Extensions({ jsonSchema: { nullable: true, maxLength: 4_000 } })
  @Field(() => String, { nullable: true, description: "Holders after this cursor." })
  after?: string | null;

  @Extensions({ jsonSchema: { nullable: true, minimum: 0 } })
  @Field(() => Int, {
    nullable: true,
    description: "How many holders to pass over; pages are of one moment with the `asOf` of the first one.",
  })
  offset?: number | null;

  @Extensions({ jsonSchema: { nullable: true } })
  @Field(() => DateTime, {
    nullable: true,
    description:
      "The moment that the page is of, such as the `asOf` of the first page: what was posted from then on does not count. Now when " +
      "absent, and when it is yet to come; a cursor has its own.",
  })
  asOf?: string | null;
}

@ObjectType({ description: "A closed period: nothing is ever dated before its end." })
export class BalancePeriod {
  companyId!: number;

  @Field(() => Int, { description: "Number of the period in its company, from 1." })
  id!: number;

  @Field(() => DateTime, { description: "The moment up to which the books are closed." })
  until!: Date;

  @Field(() => Int, { nullable: true, description: "The admin who closed it; null for the platform." })
  adminId!: number | null;

  @ToOne(() => Admin, { model: "Admin", via: "adminId", description: "The admin who closed it." })
  admin!: Admin | null;

  @Field(() => DateTime, { description: "When it was closed." })
  createdAt!: Date;
}

export const balancePeriodList = defineList(BalancePeriod, "BalancePeriod", {});

@ObjectType({ description: "What the gift cards of a coupon come to." })
export class GiftCardSums {
  @Field(() => SafeInt, { description: "Worth of all codes that were made and not voided, in hundredths." })
  issuedE2!: bigint;

  @Field(() => SafeInt, { description: "What was redeemed and not given back, in hundredths." })
  redeemedE2!: bigint;

  @Field(() => SafeInt, {
    description:
      "What is owed, in hundredths: issued less redeemed, also where the coupon is finished or deleted, so that nobody can " +
      "redeem it.",
  })
  outstandingE2!: bigint;
}

@ObjectType({ description: "The gift cards of one coupon." })
export class GiftCardLiabilityRow extends GiftCardSums {
  @Field(() => Int, { description: "The coupon." })
  couponId!: number;

  @Field(() => String, { description: "Its name." })
  name!: string;
}

@ObjectType({
  description: "What a company owes in one currency to those who hold its gift cards, at a moment.",
})
export class GiftCardLiability extends GiftCardSums {
  @Field(() => String, { description: "The currency." })
  currencyIso!: string;

  @Field(() => [GiftCardLiabilityRow], {
    description: "By coupon, those in this currency with codes, deleted ones too.",
  })
  coupons!: GiftCardLiabilityRow[];
}

@ObjectType({
  description:
    "The ends of all chains of movements of a company, by which it can be shown later that nothing changed.",
})
export class LedgerHead {
  @Field(() => SafeInt, { description: "How many movements there are." })
  movementCount!: bigint;

  @Field(() => String, {
    description:
      "SHA-256, in hexadecimal digits, of one line for each holder with movements, in the order of type, key and currency " +
      "(lanes of accounts have keys below zero): type, key, currency, number of movements and hash of the latest, with a space " +
      "between, a line break behind each.",
  })
  rootHash!: string;
}
