import { Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from "type-graphql";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

/** A fee rule as it is stored; keys that were not given are absent. */
export interface StoredFeeRule {
  readonly name: string;
  readonly priceMinE2?: number | null;
  readonly priceMaxE2?: number | null;
}

@ObjectType({ description: "When and for what a fee or tax applies (contract §9.3)." })
export class FeeRule {
  @Field(() => Boolean, { nullable: true, description: "Whether it is switched on; null: it is." })
  isEnabled!: boolean | null;

  @Field(() => String, { description: "Name, at most 32 characters." })
  name!: string;

  @Field(() => String, { nullable: true, description: "Label shown to clients, at most 32 characters." })
  label!: string | null;

  @Field(() => String, { nullable: true, description: "What it is for." })
  description!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "Layer in which apps apply it, 0 to 255; only kept, the service judges nothing by it.",
  })
  layer!: number | null;

  @Field(() => SafeInt, { nullable: true, description: "Smallest price it applies to, in hundredths." })
  priceMinE2!: number | null;

  @Field(() => SafeInt, { nullable: true, description: "Largest price it applies to, in hundredths." })
  priceMaxE2!: number | null;

  @Field(() => String, { nullable: true, description: "Clock time `HH:MM` from which it applies." })
  hourBeg!: string | null;

  @Field(() => String, { nullable: true, description: "Clock time `HH:MM` until which it applies." })
  hourEnd!: string | null;

  @Field(() => [Json], {
    nullable: true,
    description: "Further conditions for apps; only kept, the service judges nothing by them.",
  })
  conditions!: unknown[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      "Payment methods it applies to, for apps; null: all. Only kept, the service judges nothing by them.",
  })
  paymentMethods!: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      "Payment currencies it applies to, for apps; null: all. Only kept, the service judges nothing by them.",
  })
  paymentCurrencies!: string[] | null;
}

@Resolver(() => FeeRule)
export class FeeRuleResolver {
  @FieldResolver(() => Float, { nullable: true, description: "`priceMinE2` as a decimal number." })
  humanPriceMinE2(@Root() { priceMinE2 }: StoredFeeRule): number | null {
    return priceMinE2 == null ? null : priceMinE2 / 100;
  }

  @FieldResolver(() => Float, { nullable: true, description: "`priceMaxE2` as a decimal number." })
  humanPriceMaxE2(@Root() { priceMaxE2 }: StoredFeeRule): number | null {
    return priceMaxE2 == null ? null : priceMaxE2 / 100;
  }
}
