import { ArgsType, Extensions, Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { patternSchema } from "../../core/inputs/input-fields.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";

/** What the name of an account of the company has to match. */
export const ACCOUNT_NAME = { source: "^[a-z_]{1,32}$", words: "1 to 32 small letters and underscores" };

/** Types of holders; an account is an admin's, or one of the company's (contract §15.2). */
export const HOLDER_TYPES = ["account", "client", "provider", "branch", "company", "city"] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

const HOLDER_WORDS: Readonly<Record<HolderType, string>> = {
  account: "The account of an admin, by its `accountId`; or an account of the company, by its name.",
  client: "A client.",
  provider: "A provider.",
  branch: "A branch.",
  company: "The company itself.",
  city: "A city.",
};

export const HolderTypeEnum = defineEnum("BalanceHolderType", HOLDER_TYPES, {
  description: "Types of holders of a balance.",
  values: HOLDER_WORDS,
});

export const TransferTargetEnum = defineEnum(
  "BalanceTransferTarget",
  [...HOLDER_TYPES, "client_uuid", "email"],
  {
    description: "How the target of a transfer is named.",
    values: {
      ...HOLDER_WORDS,
      account: "The account of an admin, by its `accountId`; nothing is transferred to those of the company.",
      client_uuid: "A client by its `uuid`.",
      email: "A client by its e-mail address, in any case.",
    },
  },
);
export type TransferTarget = keyof typeof TransferTargetEnum;

export const OrderRoleEnum = defineEnum("OrderRole", ["shopper", "deliverer"], {
  description: "What a provider does for an order.",
  values: { shopper: "It shops for it.", deliverer: "It delivers it." },
});
export type OrderRole = keyof typeof OrderRoleEnum;

export const StatementGroupEnum = defineEnum("BalanceStatementGroup", ["day", "related_type"], {
  description: "What the rows of a statement are for.",
  values: { day: "Each day with movements.", related_type: "Each kind of related record." },
});
export type StatementGroup = keyof typeof StatementGroupEnum;

@ObjectType({ description: "An amount of money." })
export class Money {
  @Field(() => SafeInt, { description: "The amount, in hundredths." })
  amountE2!: bigint;

  @Field(() => String, { description: "Its currency." })
  currencyIso!: string;

  @Field(() => String, { description: "The amount with the code of its currency: `USD 1,234.50`." })
  formattedIso!: string;

  @Field(() => String, { description: "The amount as its currency is written: `$1,234.50`." })
  formatted!: string;
}

@ObjectType({ description: "A holder of a balance in one currency." })
export class BalanceHolder {
  companyId!: number;

  @Field(() => HolderTypeEnum, { description: "Its type." })
  type!: HolderType;

  key!: number;

  @Field(() => String, { description: "The currency." })
  currencyIso!: string;

  @Field(() => SafeInt, { description: "Its balance, in hundredths." })
  balanceE2!: bigint;

  @Field(() => Int, { description: "How many movements it has." })
  movementCount!: number;

  @Field(() => SafeInt, {
    nullable: true,
    description: "No movement lowers the balance below it, in hundredths; null: no floor.",
  })
  floorE2!: bigint | null;
}

@ObjectType({ description: "A floor of all holders of a type in one currency that have none of their own." })
export class BalanceTypeFloor {
  companyId!: number;

  @Field(() => HolderTypeEnum, { description: "Type of the holders; accounts of the company have no floor." })
  type!: HolderType;

  @Field(() => String, { description: "The currency." })
  currencyIso!: string;

  @Field(() => SafeInt, {
    nullable: true,
    description: "No movement lowers a balance below it, in hundredths; null where it was removed.",
  })
  floorE2!: bigint | null;
}

@ObjectType({ description: "What a holder's movements of a period come to." })
export class BalanceStatementRow {
  @Field(() => String, {
    nullable: true,
    description: "The day, `YYYY-MM-DD` by the company's clock; null in rows by kind.",
  })
  day!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The kind of related record; null for movements without one, and in rows by day.",
  })
  relatedType!: string | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Balance before the first movement of the day, in hundredths; null in rows by kind.",
  })
  openingE2!: bigint | null;

  @Field(() => SafeInt, { description: "Sum of what raised the balance, in hundredths." })
  creditsE2!: bigint;

  @Field(() => SafeInt, { description: "Sum of what lowered the balance, in hundredths, not negative." })
  debitsE2!: bigint;

  @Field(() => SafeInt, {
    nullable: true,
    description: "Balance after the last movement of the day, in hundredths; null in rows by kind.",
  })
  closingE2!: bigint | null;

  @Field(() => Int, { description: "How many movements there are." })
  count!: number;
}

/** What the movements of a holder in a period come to. */
@ObjectType()
export abstract class StatementSums {
  @Field(() => String, { description: "The currency." })
  currencyIso!: string;

  @Field(() => SafeInt, { description: "Balance at the beginning, in hundredths." })
  openingE2!: bigint;

  @Field(() => SafeInt, { description: "Sum of what raised the balance, in hundredths." })
  creditsE2!: bigint;

  @Field(() => SafeInt, { description: "Sum of what lowered the balance, in hundredths, not negative." })
  debitsE2!: bigint;

  @Field(() => SafeInt, { description: "Balance at the end, in hundredths." })
  closingE2!: bigint;

  @Field(() => Int, { description: "How many movements there are." })
  count!: number;
}

@ObjectType({ description: "The movements of a holder in a period, summed up." })
export class BalanceStatement extends StatementSums {
  @Field(() => [BalanceStatementRow], { description: "By day or by kind, in their order." })
  rows!: BalanceStatementRow[];
}

/** The bounds of a currency of a holder, which `heldCurrency` finds as it is written. */
export const HELD_CURRENCY: JsonSchema = { text: "line", minLength: 3, maxLength: 8 };

/** Names a holder in the arguments of a read: by its key, or an account of the company by its name. */
export interface HolderArguments {
  type: HolderType;
  key?: number | null;
  account?: string | null;
  currencyIso?: string | null;
}

/** The bounds of the arguments that name a holder. */
const KEY_BOUNDS = { minimum: 0, minimumUnless: { minimum: 1, beside: "account" }, nullable: true };
const ACCOUNT_BOUNDS = { ...patternSchema(ACCOUNT_NAME), nullable: true };

/**
 * Adds the arguments that name a holder to a class of arguments.
 *
 * @param options.isOptional whether no holder need be named.
 */
export function addHolderArguments(
  target: { readonly prototype: object },
  { isOptional = false }: { isOptional?: boolean } = {},
): void {
  const add = (name: string, type: () => unknown, bounds: object, options: object): void => {
    Field(type as () => typeof String, options)(target.prototype, name);
    Extensions({ jsonSchema: bounds })(target.prototype, name);
  };
  add("type", () => HolderTypeEnum, isOptional ? { nullable: true } : {}, {
    nullable: isOptional,
    description: isOptional ? "Type of the holder; all holders' when absent." : "Type of the holder.",
  });
  add("key", () => Int, KEY_BOUNDS, {
    nullable: true,
    description: `Id of the account, client or other holder${isOptional ? "; all of the type when absent" : ""}; of an account of the company none, or 0.`,
  });
  add("account", () => String, ACCOUNT_BOUNDS, {
    nullable: true,
    description:
      "Name of an account of the company, with the type `account` (1 to 32 small letters and underscores).",
  });
  add(
    "currencyIso",
    () => String,
    { ...HELD_CURRENCY, nullable: true },
    {
      nullable: true,
      description: isOptional
        ? "The currency (3 to 8 letters); the company's when absent, and all of them when no key is given."
        : "The currency; the company's when absent (3 to 8 letters).",
    },
  );
}

@ArgsType()
export class HolderArgs implements HolderArguments {
  type!: HolderType;
  key?: number | null;
  account?: string | null;
  currencyIso?: string | null;
}
addHolderArguments(HolderArgs);

@ArgsType()
export class BalanceAtArgs extends HolderArgs {
  @Field(() => DateTime, { description: "The moment; its whole second counts." })
  at!: string;
}

/** A period as arguments name it: moments without an offset are the company's. */
export interface PeriodArguments {
  readonly from: string;
  readonly until: string;
}

@ArgsType()
export class BalanceStatementArgs extends HolderArgs {
  @Field(() => DateTime, { description: "Beginning of the period; without an offset the company's." })
  from!: string;

  @Extensions({ jsonSchema: { laterThan: ["from"] } })
  @Field(() => DateTime, {
    description:
      "End of the period, which is no part of it (later than from, at most 400 days); without an offset the company's.",
  })
  until!: string;

  @Field(() => StatementGroupEnum, { description: "What the rows are for." })
  by!: StatementGroup;
}

@ArgsType()
export class ClientStatementArgs {
  @Extensions({ jsonSchema: { ...HELD_CURRENCY, nullable: true } })
  @Field(() => String, {
    nullable: true,
    description: "The currency; the company's when absent (3 to 8 letters).",
  })
  currencyIso?: string | null;

  @Field(() => DateTime, { description: "Beginning of the period; without an offset the company's." })
  from!: string;

  @Extensions({ jsonSchema: { laterThan: ["from"] } })
  @Field(() => DateTime, {
    description:
      "End of the period, which is no part of it (later than from, at most 400 days); without an offset the company's.",
  })
  until!: string;

  @Field(() => StatementGroupEnum, {
    description: "What the rows are for; `day` when absent.",
    nullable: true,
  })
  by?: StatementGroup | null;
}
