import { Ctx, FieldResolver, Float, Resolver, Root } from "type-graphql";
import { ReadersOnly } from "../../../core/access/access.js";
import type { OperationContext } from "../../../core/operations/operation-context.js";
import { batched } from "../../../core/relations/batched.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { Coupon, type CouponRow } from "../coupon.model.js";
import { readGiven, type CouponGiven } from "./coupon-given.sql.js";

const findGiven = batched(readGiven);

/**
 * What coupons have given and have left: all of a coupon's amounts are of one moment, so that they add up. Clients, who
 * see a coupon when they check its code, do not learn it.
 */
@Resolver(() => Coupon)
export class CouponGivenResolver {
  @ReadersOnly("coupons")
  @FieldResolver(() => SafeInt, {
    nullable: true,
    description:
      "What its uses gave together, those that were given back left out, in hundredths. For who may see or edit coupons.",
  })
  async spentAmountE2(@Root() coupon: CouponRow, @Ctx() context: OperationContext): Promise<bigint> {
    return (await givenBy(coupon, context)).spentE2;
  }

  @ReadersOnly("coupons")
  @FieldResolver(() => SafeInt, {
    nullable: true,
    description:
      "What the uses that are held for orders would give, in hundredths; expired holds do not count. For who may see " +
      "or edit coupons.",
  })
  async heldAmountE2(@Root() coupon: CouponRow, @Ctx() context: OperationContext): Promise<bigint> {
    return (await givenBy(coupon, context)).heldE2;
  }

  @ReadersOnly("coupons")
  @FieldResolver(() => SafeInt, {
    nullable: true,
    description:
      "What is left of its `amountLimitE2` after uses and holds, at least 0, in hundredths; null without such a limit. For " +
      "who may see or edit coupons.",
  })
  async remainingAmountE2(
    @Root() coupon: CouponRow,
    @Ctx() context: OperationContext,
  ): Promise<bigint | null> {
    return remainingOf(await givenBy(coupon, context));
  }

  @ReadersOnly("coupons")
  @FieldResolver(() => Float, { nullable: true, description: "`spentAmountE2` as a decimal number." })
  async humanSpentAmountE2(@Root() coupon: CouponRow, @Ctx() context: OperationContext): Promise<number> {
    return Number((await givenBy(coupon, context)).spentE2) / 100;
  }

  @ReadersOnly("coupons")
  @FieldResolver(() => Float, { nullable: true, description: "`heldAmountE2` as a decimal number." })
  async humanHeldAmountE2(@Root() coupon: CouponRow, @Ctx() context: OperationContext): Promise<number> {
    return Number((await givenBy(coupon, context)).heldE2) / 100;
  }

  @ReadersOnly("coupons")
  @FieldResolver(() => Float, { nullable: true, description: "`remainingAmountE2` as a decimal number." })
  async humanRemainingAmountE2(
    @Root() coupon: CouponRow,
    @Ctx() context: OperationContext,
  ): Promise<number | null> {
    const remaining = remainingOf(await givenBy(coupon, context));
    return remaining === null ? null : Number(remaining) / 100;
  }
}

async function givenBy({ companyId, id }: CouponRow, context: OperationContext): Promise<CouponGiven> {
  const given = await findGiven(context.companyScope(companyId), id);
  if (given === null) throw new Error("coupons are never removed");
  return given;
}

/** A limit that was lowered below what was given leaves nothing. */
function remainingOf({ spentE2, heldE2, limitE2 }: CouponGiven): bigint | null {
  if (limitE2 === null) return null;
  const left = limitE2 - spentE2 - heldE2;
  return left > 0n ? left : 0n;
}
